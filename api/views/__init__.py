"""From rows and rankings to the API's JSON; the only place that builds a schema."""

from api.views.boards import board_details, board_list
from api.views.parts import shown_name
from api.views.rankings import leaderboard, matrix
from api.views.submissions import SUFFIXES, cell, submission, submission_list

__all__ = [
    "SUFFIXES",
    "board_details",
    "board_list",
    "cell",
    "leaderboard",
    "matrix",
    "shown_name",
    "submission",
    "submission_list",
]
