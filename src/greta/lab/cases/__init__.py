"""The case file: the audits of a case over days, what separates its failures, what a fix proved."""
