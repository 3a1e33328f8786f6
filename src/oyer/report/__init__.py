"""Leaderboards, comparisons, gates and reports: what runs are for, with honest intervals."""
