"""What the two judges of a summary share: reading, measuring, the ledger, printing.

table     rules.toml -> the rules that code computes from and traces and docs print
findings  reply objects -> typed findings
issues    the issues that a judge lists, in whatever shape
measure   what code sees by itself: places of quotes, extraneous tokens, segments
ledger    steps, caps, and the judge's numbers against ours
printing  the five objects as the protocols print them

It knows neither protocol: thresholds, labels and rule ids come from their tables.
"""
