"""Many cases, many judges, nothing lost: suites, plans, budgets, resume, rescoring, export."""
