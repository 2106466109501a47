"""Which variables are kept."""

from __future__ import annotations

from greta.runs.masking import kept_environment


def test_only_what_matters_to_hip_is_kept() -> None:
    environment = {
        "HIP_VISIBLE_DEVICES": "0",
        "HSA_ENABLE_SDMA": "0",
        "LD_PRELOAD": "x.so",
        "PYTHONPATH": "src",
        "PATH": "/bin",
        "PATHS": "no",
        "HOME": "/home/somebody",
        "AWS_SECRET_ACCESS_KEY": "no",
        "GITHUB_TOKEN": "no",
    }
    kept = ["HIP_VISIBLE_DEVICES", "HSA_ENABLE_SDMA", "LD_PRELOAD", "PATH", "PYTHONPATH"]
    assert list(kept_environment(environment)) == kept


def test_a_name_that_speaks_of_a_secret_is_kept_without_its_value() -> None:
    assert kept_environment({"GRETA_UPLOAD_TOKEN": "abc"}) == {"GRETA_UPLOAD_TOKEN": "***"}
