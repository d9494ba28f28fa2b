"""The messages of a proto file as Google's own implementation writes and reads them.

Arguments: the proto file and its package. Each line of the input is {"message", "json", "bytes"}; the line of the answer is
{"bytes", "same"}: the JSON as protobuf, and whether the bytes that were given are read as the same message. What cannot be
read is told as {"error"}.
"""

import importlib
import json
import os
import sys
import tempfile

import google.api
import grpc_tools
from google.protobuf import json_format
from grpc_tools import protoc


def compiled(path: str):
    """The module of a proto file, compiled into a folder of its own."""
    out = tempfile.mkdtemp(prefix="a2a-proto-")
    includes = [
        os.path.dirname(path),
        os.path.join(os.path.dirname(grpc_tools.__file__), "_proto"),
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.join(next(iter(google.api.__path__)), "")))),
    ]
    code = protoc.main(["protoc", *(f"-I{folder}" for folder in includes), f"--python_out={out}", path])
    if code != 0:
        raise SystemExit(f"protoc ended with {code}")
    sys.path.insert(0, out)
    return importlib.import_module(os.path.basename(path).replace(".proto", "_pb2"))


def answer(module, line: str) -> dict:
    """What is made of one sample."""
    sample = json.loads(line)
    make = getattr(module, sample["message"])
    try:
        meant = json_format.Parse(sample["json"], make())
        read = make.FromString(bytes.fromhex(sample["bytes"]))
    except Exception as error:  # pylint: disable=broad-except
        return {"error": f"{type(error).__name__}: {error}"}
    return {"bytes": meant.SerializeToString(deterministic=True).hex(), "same": meant == read}


def main() -> None:
    module = compiled(sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(answer(module, line)))


main()
