"""Tournaments of a club: their results, who the players in them are, and the rankings computed from both."""
