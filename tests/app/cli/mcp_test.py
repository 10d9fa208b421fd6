"""faultline-cli mcp by its protocol: mcp_test.py BIN. Also by a client of the package mcp, where that is installed."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import unittest

CLI = os.path.abspath(os.path.join(sys.argv[1], "faultline-cli"))
NEWEST = "2025-06-18"
TOOLS = ("summary", "processes", "spikes", "frames", "frame", "culprits", "recordings")


class Server:
    """`faultline-cli mcp` on a synthetic machine, until the block ends."""

    def __init__(self, *files, version=NEWEST):
        self.files = files
        self.version = version
        self.number = 0

    def __enter__(self):
        self.process = subprocess.Popen(
            [CLI, "--synthetic", "mcp", *self.files], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.hello = self.ask(
            "initialize", protocolVersion=self.version, capabilities={}, clientInfo={"name": "test", "version": "1"}
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.rest = self.process.stdout.read()
        self.code = self.process.wait(30)
        self.process.stdout.close()

    def send(self, message):
        self.process.stdin.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
        self.process.stdin.flush()

    def answer(self, message):
        self.send(message)
        return json.loads(self.process.stdout.readline().decode("utf-8"))

    def ask(self, method, **params):
        self.number += 1
        answer = self.answer({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.number, answer
        return answer

    def call(self, tool, **arguments):
        """The answer of a tool, or the sentence why there is none."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        (text,) = result["content"]
        assert text["type"] == "text"
        if result["isError"]:
            return text["text"]
        assert self.version != NEWEST or result["structuredContent"] == json.loads(text["text"])
        return json.loads(text["text"])

    def refused(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)["error"]["code"]


class Mcp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = os.path.join(cls.scratch.name, "recordings")
        os.mkdir(cls.folder)
        cls.sweeps = os.path.join(cls.folder, "sweeps.faultline")
        cls.frames = os.path.join(cls.folder, "frames.faultline")
        cls.secret = os.path.join(cls.scratch.name, "secret.faultline")
        for command in ((["record", "-o", cls.sweeps, "-d", "1s"]), ["frames", "--record", cls.frames, "-d", "2s"]):
            subprocess.run([CLI, "--synthetic", *command], check=True, capture_output=True)
        with open(cls.sweeps, "rb") as source, open(cls.secret, "wb") as copy:
            copy.write(source.read())

    def test_each_version_of_the_protocol_is_spoken(self):
        for version, spoken in (("2024-11-05",) * 2, ("2025-03-26",) * 2, (NEWEST,) * 2, ("1999-01-01", NEWEST)):
            with Server(version=version) as server:
                result = server.hello["result"]
                self.assertEqual(
                    (spoken, {"tools": {}}, "faultline"),
                    (result["protocolVersion"], result["capabilities"], result["serverInfo"]["name"]),
                )
                summary = server.ask("tools/call", name="summary", arguments={"measure_s": 0.1})["result"]
                self.assertEqual(spoken == NEWEST, "structuredContent" in summary)
                tools = server.ask("tools/list")["result"]["tools"]
                self.assertEqual(spoken == NEWEST, "outputSchema" in tools[0])
                self.assertEqual({}, server.ask("ping")["result"])
            self.assertEqual((0, b""), (server.code, server.rest))

    def test_tools_only_read_and_are_described(self):
        with Server() as server:
            tools = server.ask("tools/list")["result"]["tools"]
        self.assertEqual(TOOLS, tuple(tool["name"] for tool in tools))
        for tool in tools:
            self.assertTrue(tool["annotations"]["readOnlyHint"])
            self.assertFalse(tool["annotations"]["destructiveHint"])
            self.assertGreater(len(tool["description"]), 40)
            self.assertEqual(
                ("object", False), (tool["inputSchema"]["type"], tool["inputSchema"]["additionalProperties"])
            )
            for name, schema in tool["inputSchema"]["properties"].items():
                self.assertIn(schema["type"], ("string", "number", "integer"), name)
                self.assertTrue(schema["description"])
        frame = next(tool for tool in tools if tool["name"] == "frame")
        self.assertEqual(["file", "frame"], frame["inputSchema"]["required"])

    def test_each_tool_answers_as_query_does(self):
        with Server(self.folder) as server:
            number = server.call("frames", file=self.frames, top=1)["frames"][0]["frame"]
            for tool, words, arguments in (
                ("summary", [self.sweeps], {"file": self.sweeps}),
                ("summary", [self.frames, "--budget", "5ms"], {"file": self.frames, "budget_ms": 5}),
                (
                    "processes",
                    [self.sweeps, "--by", "program", "--metric", "fault_ns", "-n", "3"],
                    {"file": self.sweeps, "by": "program", "metric": "fault_ns", "top": 3},
                ),
                ("spikes", [self.sweeps, "--from", "500ms"], {"file": self.sweeps, "from_s": 0.5}),
                (
                    "frames",
                    [self.frames, "--from", "500ms", "--to", "1.5s"],
                    {"file": self.frames, "from_s": 0.5, "to_s": 1.5},
                ),
                ("frame", [self.frames, "--frame", str(number)], {"file": self.frames, "frame": number}),
                ("culprits", [self.frames, "--by", "mapping"], {"file": self.frames, "by": "mapping"}),
            ):
                said = subprocess.run([CLI, "query", tool, *words], check=True, capture_output=True).stdout
                self.assertEqual(json.loads(said), server.call(tool, **arguments))
            now = server.call("processes", by="program", top=2, measure_s=0.1)
            self.assertEqual((None, 2), (now["file"], len(now["programs"])))
            listed = server.call("recordings")
        self.assertEqual(
            [(self.frames, "frames"), (self.sweeps, "sweeps")],
            [(file["name"], file["holds"]) for file in listed["files"]],
        )

    def test_no_other_file_is_read(self):
        link = os.path.join(self.folder, "link.faultline")
        fifo = os.path.join(self.folder, "fifo.faultline")
        os.symlink(self.secret, link)
        os.mkfifo(fifo)
        try:
            with Server(self.folder) as server:
                for file in (
                    self.secret,
                    link,
                    fifo,
                    os.path.join(self.folder, "../secret.faultline"),
                    self.folder,
                    "/etc/passwd",
                    "-",
                    "/proc/self/environ",
                    "none.faultline",
                    "/",
                    "a\0b",
                    self.folder + "/none",
                ):
                    self.assertIn("is no recording that may be asked", server.call("summary", file=file), file)
                self.assertEqual(2, len(server.call("recordings")["files"]))
                self.assertEqual(
                    "sweeps", server.call("summary", file=self.folder + "/../recordings/sweeps.faultline")["holds"]
                )
            with Server(self.sweeps) as server:
                self.assertIn("may be asked", server.call("summary", file=self.frames))
                self.assertEqual("sweeps", server.call("summary", file=self.sweeps)["holds"])
            with Server() as server:
                self.assertIn("may be asked", server.call("summary", file=self.sweeps))
        finally:
            os.unlink(link)
            os.unlink(fifo)
        missing = subprocess.run([CLI, "mcp", "none.faultline"], stdin=subprocess.DEVNULL, capture_output=True)
        self.assertEqual(1, missing.returncode)

    def test_wrong_arguments_are_told(self):
        with Server(self.folder) as server:
            for tool, arguments in (
                ("nothing", {}),
                ("frame", {"file": self.frames}),
                ("frame", {"file": self.frames, "frame": -1}),
                ("frame", {"file": self.frames, "frame": "12"}),
                ("frame", {"file": self.frames, "frame": 1e300}),
                ("frames", {"file": self.frames, "top": 0}),
                ("frames", {"file": self.frames, "top": 1.5}),
                ("frames", {"file": self.frames, "top": 10**30}),
                ("frames", {}),
                ("frames", {"file": None}),
                ("frames", {"file": ["a"]}),
                ("frames", {"file": self.frames, "pid": 1}),
                ("frames", {"pid": 0}),
                ("frame", {"pid": 1, "frame": 2}),
                ("summary", {"pid": 1}),
                ("summary", {"other": 1}),
                ("processes", {"by": "thread"}),
                ("processes", {"metric": "none"}),
                ("summary", {"measure_s": 1e9}),
                ("processes", {"file": self.sweeps, "from_s": 2, "to_s": 1}),
            ):
                self.assertEqual(-32602, server.refused(tool, **arguments), (tool, arguments))
            for params in ([], "summary", {"name": 3}, {"name": "summary", "arguments": []}, {}):
                error = server.answer({"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": params})
                self.assertEqual(("x", -32602), (error["id"], error["error"]["code"]), params)
            self.assertEqual(-32601, server.ask("resources/list")["error"]["code"])
            self.assertEqual(-32602, server.ask("initialize")["error"]["code"])
            self.assertIn("There is no frame 123456", server.call("frame", file=self.frames, frame=123456))
            self.assertIn("ask summary", server.call("processes", file=self.frames))

    def test_hostile_messages_get_an_error_and_the_server_goes_on(self):
        ping = b'{"jsonrpc":"2.0","id":%s,"method":"ping"%s}'
        with Server() as server:
            for message, code in (
                (b"[" * 100_000, -32700),
                (b'{"a":' * 200_000 + b"1" + b"}" * 200_000, -32600),
                (b"{", -32700),
                (ping % (b"1e999", b""), -32700),
                (ping % (b"1.5", b""), -32600),
                (ping % (b"null", b""), -32600),
                (ping % (b"[1]", b""), -32600),
                (ping % (b'"\xff"', b""), -32700),
                (b"\0", -32700),
                (b"\xff\xfe", -32700),
                (b"[" + ping % (b"1", b"") + b"]", -32600),
                (b"[]", -32600),
                (b"1", -32600),
                (b'"ping"', -32600),
                (b"{}", -32600),
                (b'{"id":1,"method":"ping"}', -32600),
                (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
                (b'{"jsonrpc":2.0,"id":1,"method":"ping"}', -32600),
                (ping % (b"1", b',"params":[]'), -32602),
                (ping % (b"1", b',"x":"' + b"a" * 2_000_000 + b'"'), -32600),
                (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32700),
                (b'{"jsonrpc":"2.0","id":1,"method":"p\\u0000"}', -32601),
            ):
                self.assertEqual(code, server.answer(message)["error"]["code"], message[:60])
                self.assertEqual({}, server.ask("ping")["result"])
            for silent in (
                b"",
                b"  \r",
                b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
                b'{"jsonrpc":"2.0","id":1,"result":{}}',
                b'{"jsonrpc":"2.0","method":"nothing"}',
            ):
                server.send(silent)
                self.assertEqual({}, server.ask("ping")["result"], silent)  # not the answer of another
            big = server.answer(ping % (b"18446744073709551615", b""))
            self.assertEqual(18446744073709551615, big["id"])
        self.assertEqual((0, b""), (server.code, server.rest))

    def test_the_last_line_may_lack_its_end(self):
        done = subprocess.run(
            [CLI, "mcp"], input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}', capture_output=True, timeout=60
        )
        self.assertEqual((0, {"jsonrpc": "2.0", "id": 1, "result": {}}), (done.returncode, json.loads(done.stdout)))

    def test_a_client_of_the_package_mcp_asks(self):
        try:
            from mcp import ClientSession, StdioServerParameters
            from mcp.client.stdio import stdio_client
        except ImportError:
            self.skipTest("the package mcp is not installed")

        async def session():
            server = StdioServerParameters(command=CLI, args=["--synthetic", "mcp", self.folder])
            async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
                await client.initialize()
                tools = await client.list_tools()
                self.assertEqual(TOOLS, tuple(tool.name for tool in tools.tools))
                for name, arguments in (
                    ("recordings", {}),
                    ("summary", {"measure_s": 0.1}),
                    ("frames", {"file": self.frames, "top": 2}),
                    ("culprits", {"file": self.frames}),
                    ("processes", {"file": self.sweeps}),
                ):
                    answer = await client.call_tool(name, arguments)
                    self.assertEqual("text", answer.content[0].type)
                    json.loads(answer.content[0].text)
                return await client.call_tool("summary", {"file": self.secret})

        refused = asyncio.run(asyncio.wait_for(session(), 120))
        self.assertIn("may be asked", refused.content[0].text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
