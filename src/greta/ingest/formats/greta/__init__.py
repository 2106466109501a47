"""GRETA's own logs, of this and of older builds."""

from greta.ingest.formats.greta.log import GretaLog

__all__ = ["GretaLog"]
