"""One file a page: `show(site, request)` reads the store and gives a `Page`."""
