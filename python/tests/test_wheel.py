"""The wheel: the program among its scripts, tags, equal bytes, an installation that works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import topoi

HOME = Path(__file__).parent.parent
pytest.importorskip("hatchling")


def build(out: Path, **environment: str) -> Path:
    """Build a wheel, around a small file in place of the program: packing the real one takes seconds."""
    out.mkdir()
    (out.parent / "program").write_text("#!/bin/sh\n")
    (out.parent / "program").chmod(0o755)
    settings = {
        "TOPOI_WHEEL_BINARY": str(out.parent / "program"),
        "SOURCE_DATE_EPOCH": "1700000000",
        "TOPOI_WHEEL_VERSION": "v1.2.3",
    }
    plain = {k: v for k, v in os.environ.items() if k not in ("GOOS", "GOARCH")}
    program = "import hatchling.build, sys; print(hatchling.build.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", program, str(out)],
        cwd=HOME,
        env={**plain, **settings, **environment},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr + done.stdout)
    return out / done.stdout.split()[-1]


def test_contents_tags_and_equal_bytes(tmp_path):
    wheel = build(tmp_path / "a", TOPOI_WHEEL_PLATFORM="manylinux_2_17_x86_64")
    assert wheel.name == "topoi-1.2.3-py3-none-manylinux_2_17_x86_64.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        script = archive.getinfo("topoi-1.2.3.data/scripts/topoi")
        assert script.external_attr >> 16 & 0o111 and script.file_size == 10
        assert "topoi/py.typed" in names and "topoi-1.2.3.dist-info/licenses/LICENSE" in names
        assert "Root-Is-Purelib: false" in archive.read("topoi-1.2.3.dist-info/WHEEL").decode()
        metadata = archive.read("topoi-1.2.3.dist-info/METADATA").decode()
        assert "Requires-Dist: numpy" in metadata and "Requires-Dist: scipy" in metadata
        assert not any(name.startswith("tests") or name.endswith(".pyc") for name in names)
    again = build(tmp_path / "b", TOPOI_WHEEL_PLATFORM="manylinux_2_17_x86_64")
    assert again.read_bytes() == wheel.read_bytes()


@pytest.mark.parametrize(
    "goos, goarch, tags, platform, script",
    [
        ("windows", "amd64", "", "win_amd64", "topoi.exe"),
        ("darwin", "arm64", "", "macosx_12_0_arm64", "topoi"),
        ("linux", "arm64", "nocuda", "musllinux_1_1_aarch64", "topoi"),
    ],
)
def test_tags_of_other_platforms(tmp_path, goos, goarch, tags, platform, script):
    wheel = build(tmp_path / "w", GOOS=goos, GOARCH=goarch, TOPOI_WHEEL_TAGS=tags)
    assert wheel.name == f"topoi-1.2.3-py3-none-{platform}.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert f"topoi-1.2.3.data/scripts/{script}" in archive.namelist()


def test_faults_of_a_build(tmp_path):
    with pytest.raises(RuntimeError, match="TOPOI_WHEEL_BINARY names nowhere, which is no file"):
        build(tmp_path / "a", TOPOI_WHEEL_BINARY="nowhere")
    with pytest.raises(RuntimeError, match="no platform tag is known"):
        build(tmp_path / "b", GOOS="plan9", GOARCH="amd64")


def test_pip_installs_a_package_that_works(tmp_path):
    pytest.importorskip("pip")
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--disable-pip-version-check",
    ]
    settings = {
        **os.environ,
        "TOPOI_WHEEL_BINARY": topoi.find_binary(),
        "TOPOI_WHEEL_VERSION": "1.2.3",
    }
    subprocess.run(
        [*install, f"--target={tmp_path / 'site'}", str(HOME)],
        env=settings,
        check=True,
        capture_output=True,
    )
    alone = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    alone.pop("TOPOI_BINARY", None)
    program = (
        "import topoi; print(topoi.find_binary(), topoi.__version__);"
        "m = topoi.train(['cat dog pet', 'bank money loan'] * 20, 2, iterations=10, min_df=1, max_df=1); print(m.n_topics)"
    )
    out = subprocess.run(
        [sys.executable, "-c", program],
        env=alone,
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert out.split() == [str(tmp_path / "site" / "bin" / "topoi"), "1.2.3", "2"]
    module = subprocess.run(
        [sys.executable, "-m", "topoi", "version"],
        env=alone,
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert module.stdout.startswith("topoi ")


def test_the_command_of_the_manual_builds_a_wheel(tmp_path):
    """Debian's hatchling lacks a package that it names, so a check of dependencies fails there."""
    pytest.importorskip("build")
    page = (HOME.parent / "docs" / "python.md").read_text(encoding="utf-8")
    [command] = re.findall(r"^GOOS=windows GOARCH=amd64 python3 (-m build .*) python$", page, re.M)
    (tmp_path / "program").write_text("")
    settings = {
        **os.environ,
        "GOOS": "windows",
        "GOARCH": "amd64",
        "TOPOI_WHEEL_BINARY": str(tmp_path / "program"),
    }
    done = subprocess.run(
        [sys.executable, *command.split(), f"--outdir={tmp_path}", str(HOME)],
        env=settings,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert [path.name for path in tmp_path.glob("*.whl")] == [
        "topoi-0.1.0.dev0-py3-none-win_amd64.whl"
    ]
