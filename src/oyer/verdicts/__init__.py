"""Reply text -> findings -> verified findings -> Verdict. Pure: no clock, disk, net or chance."""

from oyer.verdicts.record import as_bytes, as_json, record

__all__ = ["as_bytes", "as_json", "record"]
