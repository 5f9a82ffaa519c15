"""From rows and rankings to the API's JSON; the only place that builds a schema."""

from api.views.arena import arena
from api.views.boards import board_details, board_list
from api.views.breakdowns import breakdown, entry_breakdown
from api.views.charts import charts
from api.views.confusions import confusion, submission_measures
from api.views.counts import entry_cells
from api.views.degrees import compared_degrees
from api.views.differences import compared_differences
from api.views.grids import STATES, accuracies_between, grid, is_settled
from api.views.history import board_history
from api.views.holdouts import of_submission as holdouts_of
from api.views.parts import clean_head, shown_name
from api.views.rankings import (
    Heads,
    Span,
    is_final,
    leaderboard,
    matrix,
    matrix_heads,
)
from api.views.reevaluations import (
    audit_page,
    plan,
    preview,
    reevaluation,
    reevaluation_page,
)
from api.views.scores import submission_score
from api.views.seasons import admin_season, admin_seasons, season_ranking, seasons
from api.views.status import status
from api.views.submissions import cell, progress, standing, submission, submission_page
from api.views.tables import Asked, comparison, table

__all__ = [
    "STATES",
    "Asked",
    "Heads",
    "Span",
    "accuracies_between",
    "admin_season",
    "admin_seasons",
    "arena",
    "audit_page",
    "board_details",
    "board_history",
    "board_list",
    "breakdown",
    "cell",
    "charts",
    "clean_head",
    "compared_degrees",
    "compared_differences",
    "comparison",
    "confusion",
    "entry_breakdown",
    "entry_cells",
    "grid",
    "holdouts_of",
    "is_final",
    "is_settled",
    "leaderboard",
    "matrix",
    "matrix_heads",
    "plan",
    "preview",
    "progress",
    "reevaluation",
    "reevaluation_page",
    "season_ranking",
    "seasons",
    "shown_name",
    "standing",
    "status",
    "submission",
    "submission_measures",
    "submission_page",
    "submission_score",
    "table",
]
