"""One file a page: `show(site, asked)` reads the store and gives a `Page`."""
