"""The whole way of one case, on one screen."""
