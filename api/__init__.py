"""The HTTP service of the leaderboard."""
