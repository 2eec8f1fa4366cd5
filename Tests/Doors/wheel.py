"""Checks the installed wheel: its record, its libraries, its models.

wheel.py ENVIRONMENT          all of it is of the environment, and complete
wheel.py --without-library    the error of a module without a library
"""

import base64
import hashlib
import importlib.metadata
import re
import sys
from pathlib import Path

import ductus

# What every Linux has; all other libraries come with the wheel.
OF_THE_SYSTEM = re.compile(
    r"(ld-linux.*|libc|libm|libdl|libpthread|librt|libutil|libgcc_s|libstdc\+\+|libz"
    r"|libffi|libpython.*|libcrypto|libssl|libexpat|libbz2|liblzma)[-.].*"
)


def check_record() -> None:
    files = importlib.metadata.files("ductus") or []
    assert any(str(file) == "ductus/lib/libductus.so" for file in files), "no library"
    for file in files:
        if file.hash is None:
            continue
        digest = hashlib.new(file.hash.mode, file.read_binary()).digest()
        found = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        assert found == file.hash.value, f"{file}: its hash is not that of the record"


def check_libraries(environment: Path) -> None:
    """Every library that this process has loaded is of the environment, Python or the system."""
    assert ductus.Recognizer("latin-lines").recognize([[(0, 0), (10, 40), (20, 0)]])
    loaded = set()
    for line in Path("/proc/self/maps").read_text().splitlines():
        path = line.split(maxsplit=5)[5:]
        if path and ".so" in path[0]:
            loaded.add(path[0].strip())
    ours = {path for path in loaded if path.startswith(str(environment))}
    assert any("libductus" in path for path in ours), ours
    assert any("blas" in path for path in ours), "BLAS is not that of the wheel"
    for path in loaded - ours:
        name = Path(path).name
        of_python = "/lib-dynload/" in path or path.startswith(sys.base_prefix + "/lib/python")
        assert of_python or OF_THE_SYSTEM.fullmatch(name), f"{path}: is not in the wheel"


def check_models(environment: Path) -> None:
    names = [model.identifier for model in ductus.installed_models()]
    for name in ("latin-lines", "latin-characters", "shapes"):
        assert name in names, f"{name} is not in the wheel"
        assert ductus.Recognizer(name).model == name
    for name in names:
        ductus.verify_model(name)
    assert str(environment) in ductus.__file__


def check_without_library() -> None:
    try:
        ductus.Recognizer("latin-lines")
    except ductus.DuctusError as error:
        assert isinstance(error, ductus.LibraryNotFound), type(error)
        assert error.code is ductus.ErrorCode.NO_LIBRARY
        for advice in ("libductus.so", "scripts/install", "DUCTUS_LIBRARY"):
            assert advice in str(error), str(error)
    else:
        raise AssertionError("a library was found")


if sys.argv[1] == "--without-library":
    check_without_library()
else:
    check_record()
    check_libraries(Path(sys.argv[1]).resolve())
    check_models(Path(sys.argv[1]).resolve())
