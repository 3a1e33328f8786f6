"""Oyer: language-model judges on the record. The judge perceives, the code decides."""

__version__ = "0.1.0"
