"""The local page: runs, verdicts with their evidence, people's labels. `oyer view` serves it.

server    routes, the loop            safety   who may ask, what a browser may do
site      what all pages share        render   templates, filters
live      what is new in the store    snapshots  standings, gathered apart and kept
pages/    one file a page: `show(site, request)` gives a Page, `answer…` takes JSON and gives JSON
"""
