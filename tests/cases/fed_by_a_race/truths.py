from tests.cases.truth import Case
CASES: list[Case] = []
