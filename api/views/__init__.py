"""From rows and rankings to the API's JSON; the only place that builds a schema."""

from api.views.boards import board_details, board_list
from api.views.parts import shown_name
from api.views.rankings import leaderboard, matrix
from api.views.status import status
from api.views.submissions import cell, progress, submission, submission_page

__all__ = [
    "board_details",
    "board_list",
    "cell",
    "leaderboard",
    "matrix",
    "progress",
    "shown_name",
    "status",
    "submission",
    "submission_page",
]
