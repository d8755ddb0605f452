#!/usr/bin/env python3
"""The questions of docs/agents.md and agent_questions.md, asked of the bundled profiles: agents.py ASSAY SOURCE. Each call is
written there as JSON, and below it lines of its answer. With the published client library `mcp` installed, that asks too."""
import asyncio
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from client import Client, inside, unpack


def asked(page):
    """(question, call, expected lines) of each numbered heading."""
    found = re.findall(r"^## \d+\. (.*?)\n.*?```json\n(.*?)```.*?```text\n(.*?)```", page, re.M | re.S)
    return [(question, json.loads(call), [line.strip() for line in lines.splitlines() if line.strip()])
            for question, call, lines in found]


def with_library(assay, root):
    try:
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client
    except ImportError:
        print("the published client library (mcp) is not installed: only the client of this test asked")
        return

    async def session():
        server = StdioServerParameters(command=str(assay), args=["mcp", "--root", str(root)])
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            tools = [tool.name for tool in (await client.list_tools()).tools]
            assert tools == ["list", "look", "budget", "whatif", "ranges", "stats", "query", "findings", "compare", "describe"], tools
            answer = await client.call_tool("describe", {"name": "gpu.busy_ratio"})
            assert not answer.isError and "GPU busy" in answer.content[0].text
            await client.list_resources()
            await client.send_ping()
    asyncio.run(session())
    print("the published client library agrees")


def main():
    assay, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    failed = 0
    skill = subprocess.run([assay, "mcp", "--skill"], check=True, capture_output=True).stdout
    assert skill == (source / "skills/assay/SKILL.md").read_bytes()
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name).resolve() / "root"
        root.mkdir()
        unpack(source, root)
        shutil.copytree(source / "configs", root / "configs")
        subprocess.run([assay, "run", "configs/rq3_compilation.toml", "--reports", "vit_h200", "-o", "results", "-q", "--no-cache"],
                       check=True, cwd=root, stderr=subprocess.DEVNULL)
        questions = [question for page in ("docs/agents.md", "tests/program/mcp/agent_questions.md")
                     for question in asked((source / page).read_text())]
        assert len(questions) == 10, len(questions)
        client = Client(assay, "--root", root, "--allow-run", root)
        for question, call, expected in questions:
            answer = client.request("tools/call", **call)
            text = answer["result"]["content"][0]["text"] if "result" in answer else json.dumps(answer)
            plain = json.dumps(json.loads(inside(text)), ensure_ascii=False) if "result" in answer else text
            for line in expected:
                if line not in plain:
                    print(f"{question}: the answer lacks {line!r}\n{text[:400]}")
                    failed += 1
        assert client.close() == 0
        with_library(assay, root)
    sys.exit(1 if failed else 0)


main()
