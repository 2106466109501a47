"""GRETA's own logs, of this and of older builds."""

from greta.trace.logs.formats.greta.log import GretaLog

__all__ = ["GretaLog"]
