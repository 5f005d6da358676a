#!/usr/bin/env python3
"""Opens a document in a language server: lsp_session.py SERVER DOCUMENT.

Prints the diagnostics that the server publishes, as line:column: message.
"""

import json
import pathlib
import subprocess
import sys


def encode(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def decode(data):
    """The messages in what a server wrote."""
    while data:
        head, data = data.split(b"\r\n\r\n", 1)
        length = int(head.split(b"Content-Length:")[1].split()[0])
        yield json.loads(data[:length])
        data = data[length:]


def main():
    server, document = sys.argv[1:]
    path = pathlib.Path(document).resolve()
    item = {"uri": path.as_uri(), "languageId": "mlir", "version": 1,
            "text": path.read_text()}
    session = [
        {"id": 0, "method": "initialize", "params": {
            "processId": None, "rootPath": "", "capabilities": {},
            "trace": "off"}},
        {"method": "textDocument/didOpen", "params": {"textDocument": item}},
        {"id": 1, "method": "shutdown"},
        {"method": "exit"},
    ]
    result = subprocess.run([server], input=b"".join(map(encode, session)),
                            stdout=subprocess.PIPE, check=False)
    for message in decode(result.stdout):
        if message.get("method") != "textDocument/publishDiagnostics":
            continue
        for diagnostic in message["params"]["diagnostics"]:
            start = diagnostic["range"]["start"]
            print(f"{start['line'] + 1}:{start['character'] + 1}: "
                  f"{diagnostic['message']}")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
