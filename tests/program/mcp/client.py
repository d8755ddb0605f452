"""A client of `assay mcp` in plain JSON-RPC, and the bundled profiles to ask about."""
import json
import pathlib
import subprocess
import sys
import tarfile


class Client:
    def __init__(self, assay, *options, cwd=None, revision="2025-06-18"):
        self.process = subprocess.Popen([assay, "mcp", *map(str, options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=cwd)
        self.id = 0
        self.begun = self.request("initialize", protocolVersion=revision, capabilities={},
                                  clientInfo={"name": "test", "version": "1"}) if revision else None
        if revision:
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send_bytes(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps(message).encode())

    def receive(self):
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), f"the server ended: {self.process.stderr.read().decode(errors='replace')}"
        return json.loads(line)

    def request(self, method, **params):
        self.id += 1
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        answer = self.receive()
        assert answer["id"] == self.id, answer
        return answer

    def call(self, tool, arguments):
        return self.request("tools/call", name=tool, arguments=arguments)

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(timeout=300)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


def inside(text):
    """What stands between the two lines with the mark."""
    head, mark, *body = text.split("\n")
    assert f"'{mark}'" in head, text[:300]
    end = len(body) - 1 - body[::-1].index(mark)
    return "\n".join(body[:end])


def unpack(source, to):
    archive = pathlib.Path(source) / "examples/vit_h200_excerpt.tar.xz"
    if not archive.exists():
        print(f"{archive} is not there: nothing was tested")
        sys.exit(77)
    with tarfile.open(archive) as packed:
        packed.extractall(to / "vit_h200")
    return to / "vit_h200"
