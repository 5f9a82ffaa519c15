"""From rows and rankings to the API's JSON; the only place that builds a schema."""

from api.views.boards import board_details, board_list
from api.views.parts import shown_name
from api.views.rankings import Span, is_final, leaderboard, matrix
from api.views.status import status
from api.views.submissions import cell, submission, submission_page

__all__ = [
    "Span",
    "board_details",
    "board_list",
    "cell",
    "is_final",
    "leaderboard",
    "matrix",
    "shown_name",
    "status",
    "submission",
    "submission_page",
]
