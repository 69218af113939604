"""Builds the wheel from a checkout with Cargo and Python alone, so that `pip install .` needs no
network once Cargo has the crates (`cargo fetch`).

    pip install .
    pip install . --config-settings binary=target/release/leitai    # packs a program that exists

Releases are built by maturin, which also checks old versions of glibc.
"""
import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _project():
    """Name, description, and the lowest version of Python, from pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return [re.search(rf'^{key} = "(.*)"', text, re.M)[1] for key in ("name", "description", "requires-python")]


def _version():
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    return re.search(r'^version = "(.*)"', manifest, re.M)[1]


def _metadata():
    name, description, python = _project()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return (
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {_version()}\nSummary: {description}\n"
        f"License: MIT OR Apache-2.0\nRequires-Python: {python}\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def _program(settings):
    """The program to pack: a given one, or that of a release build."""
    given = (settings or {}).get("binary")
    if given:
        return ROOT / given
    command = ["cargo", "build", "--release", "--locked", "--bin", "leitai"]
    if subprocess.run(command, cwd=ROOT).returncode != 0:
        raise SystemExit("leitai: cargo cannot build the program; its messages are above")
    target = os.environ.get("CARGO_TARGET_DIR", "target")
    return ROOT / target / "release" / f"leitai{sysconfig.get_config_var('EXE') or ''}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    stem = f"leitai-{_version()}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    tag = f"py3-none-{platform}"
    program = _program(config_settings)
    files = {
        f"leitai/{path.name}": (path.read_bytes(), 0o644)
        for path in sorted((ROOT / "python" / "leitai").iterdir())
        if path.is_file()
    }
    script = f"leitai{sysconfig.get_config_var('EXE') or ''}"
    files[f"{stem}.data/scripts/{script}"] = (program.read_bytes(), 0o755)
    wheel = f"Wheel-Version: 1.0\nGenerator: leitai\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files[f"{stem}.dist-info/METADATA"] = (_metadata().encode(), 0o644)
    files[f"{stem}.dist-info/WHEEL"] = (wheel.encode(), 0o644)
    for licence in ("LICENSE-MIT", "LICENSE-APACHE"):
        files[f"{stem}.dist-info/{licence}"] = ((ROOT / licence).read_bytes(), 0o644)
    record = f"{stem}.dist-info/RECORD"
    lines = []
    file = f"{stem}-{tag}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (content, mode) in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            lines.append(f"{name},sha256={digest.decode()},{len(content)}\n")
            _add(archive, name, content, mode)
        _add(archive, record, "".join([*lines, f"{record},,\n"]).encode(), 0o644)
    return file


def _add(archive, name, content, mode):
    # A fixed time: the same content gives the same wheel.
    entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100000 | mode) << 16
    archive.writestr(entry, content)


def get_requires_for_build_wheel(config_settings=None):
    return []
