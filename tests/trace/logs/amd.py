"""Writes AMD's log as the runtime does."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class AmdText:
    """Lines of one process, in any of the styles that releases have had."""

    pid: int = 100
    style: str = "[pid:{pid}   tid:0x{tid:x}]"
    now: int = 5_000_000
    lines: list[str] = field(default_factory=list)

    def say(self, text: str, tid: int = 0x7F00) -> AmdText:
        self.now += 10
        who = self.style.format(pid=self.pid, tid=tid)
        self.lines.append(f":3:hip_x.cpp                :615 : {self.now:010d} us: {who} {text}\n")
        return self

    def call(self, name: str, arguments: str, answer: str = "", tid: int = 0x7F00) -> AmdText:
        self.say(f" {name} ( {arguments} )", tid)
        return self.returned(name, answer, tid)

    def returned(
        self, name: str, answer: str = "", tid: int = 0x7F00, result: str = "hipSuccess"
    ) -> AmdText:
        return self.say(f"{name}: Returned {result} : {answer}", tid)

    @property
    def text(self) -> str:
        return "".join(self.lines)
