"""Puts the program into the wheel, among the scripts, and tags the wheel by platform.

What can be set in the environment:

    TOPOI_WHEEL_BINARY    a program that is built already; else Go builds one
    GOOS, GOARCH          the platform to build for, else this one
    TOPOI_WHEEL_TAGS      build tags for Go: nocuda gives a static program without GPU
    TOPOI_WHEEL_PLATFORM  the platform tag of the wheel, else one that fits the above
    TOPOI_WHEEL_VERSION   the version of wheel and program
    SOURCE_DATE_EPOCH     the time of all files, for equal bytes
"""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any, Dict

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Go needs macOS 12. Programs of Go that load the CUDA driver need glibc; without cgo
# they ask for symbols that every glibc of the last ten years has.
PLATFORMS = {
    ("linux", "amd64"): "manylinux_2_17_x86_64",
    ("linux", "arm64"): "manylinux_2_17_aarch64",
    ("darwin", "amd64"): "macosx_12_0_x86_64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
    ("windows", "amd64"): "win_amd64",
    ("windows", "arm64"): "win_arm64",
}

# A static program runs on any Linux; where there is glibc, the wheel above is the better one.
STATIC = {
    ("linux", "amd64"): "musllinux_1_1_x86_64",
    ("linux", "arm64"): "musllinux_1_1_aarch64",
}


class ProgramHook(BuildHookInterface):
    """The hook that hatchling calls before it packs a wheel."""

    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        program = self.program()
        suffix = ".exe" if program.suffix == ".exe" or self.target()[0] == "windows" else ""
        # Installers put what is in NAME.data/scripts among the scripts, ready to run.
        name = f"{self.metadata.core.name.replace('-', '_')}-{self.metadata.version}"
        build_data["force_include"][str(program)] = f"{name}.data/scripts/topoi{suffix}"
        licence = Path(self.root).parent / "LICENSE"
        if licence.exists():
            build_data["force_include"][str(licence)] = f"{name}.dist-info/licenses/LICENSE"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{self.platform()}"

    def target(self) -> "tuple[str, str]":
        """Return GOOS and GOARCH as they are asked for; empty where they are not."""
        return os.environ.get("GOOS", ""), os.environ.get("GOARCH", "")

    def platform(self) -> str:
        asked = os.environ.get("TOPOI_WHEEL_PLATFORM")
        if asked:
            return asked
        if self.target() == ("", ""):
            return sysconfig.get_platform().replace("-", "_").replace(".", "_")
        known = (
            STATIC
            if "nocuda" in os.environ.get("TOPOI_WHEEL_TAGS", "") and self.target() in STATIC
            else PLATFORMS
        )
        if self.target() not in known:
            raise SystemExit(
                f"no platform tag is known for GOOS and GOARCH {self.target()}: set TOPOI_WHEEL_PLATFORM"
            )
        return known[self.target()]

    def program(self) -> Path:
        """Return the program, which is built if need be."""
        ready = os.environ.get("TOPOI_WHEEL_BINARY")
        if ready:
            if not os.path.isfile(ready):
                raise SystemExit(f"TOPOI_WHEEL_BINARY names {ready}, which is no file")
            return Path(ready).absolute()
        source = Path(self.root).parent
        if not (source / "go.mod").exists():
            raise SystemExit(
                "the source of the program is not beside this package: build in a checkout of topoi, or let TOPOI_WHEEL_BINARY name a program"
            )
        if shutil.which("go") is None:
            raise SystemExit(
                "building the package needs Go, which is not on PATH: install it (https://go.dev/dl), or let TOPOI_WHEEL_BINARY name a program"
            )
        out = (
            Path(self.root) / "build" / ("topoi.exe" if self.target()[0] == "windows" else "topoi")
        )
        stamp = os.environ.get("TOPOI_WHEEL_VERSION")
        stamped = f" -X main.version=v{stamp.lstrip('v')}" if stamp else ""
        tags = os.environ.get("TOPOI_WHEEL_TAGS", "")
        command = [
            "go",
            "build",
            "-trimpath",
            f"-tags={tags}",
            f"-ldflags=-s -w{stamped}",
            "-o",
            str(out),
            "./cmd/topoi",
        ]
        subprocess.run(command, cwd=source, env={**os.environ, "CGO_ENABLED": "0"}, check=True)
        return out
