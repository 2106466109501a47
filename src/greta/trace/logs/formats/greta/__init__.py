"""GRETA's own logs, of this and of older builds."""
