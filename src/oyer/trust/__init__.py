"""How far a judge can be trusted: people's labels, agreement, corrected estimates, probes, cards.

units      pieces of a case that people label, cut by code
sampling   probability samples            queues   a sample of a run, kept to be labelled
label_files  labels as JSONL and CSV
agreement  κ, AC1/AC2, α, sensitivity     ranking  ρ, τ, AUC, Brier, reliability curve
resampling intervals by whole cases, many tests at once
"""
