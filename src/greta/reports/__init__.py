"""Reports: what was found, for a person who has to decide something.

    page = compose(document, "es")        # document: summary.json, or verdict.json with run.json
    markdown.render(page), html.render(page)

Every number in a report comes from the document. Every word comes from lang/.
"""

from greta.reports.document import Document, DocumentError, read_document
from greta.reports.lang import LANGUAGES, Language
from greta.reports.page import compose

__all__ = ["LANGUAGES", "Document", "DocumentError", "Language", "compose", "read_document"]
