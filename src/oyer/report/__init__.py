"""Leaderboards, comparisons, gates and reports: what runs are for, with confidence intervals."""
