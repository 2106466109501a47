"""Reports: what was found, for a person who has to decide something.

    page = compose(Reported(summary), "es")
    markdown.render(page), html.render(page)

Every number in a report comes from the summary. Every word comes from lang/.
"""

from greta.reports.lang import LANGUAGES, Language
from greta.reports.reported import Reported, read_reported, reported_verdict
from greta.reports.sections import compose

__all__ = ["LANGUAGES", "Language", "Reported", "compose", "read_reported", "reported_verdict"]
