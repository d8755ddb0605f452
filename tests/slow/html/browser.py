"""A small client of Chromium's DevTools protocol over a pipe; standard library only."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find_chromium():
    """The browser's program, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    return None


class Browser:
    """One headless browser with one page. Records what the page logs, throws and requests."""

    def __init__(self, program, javascript=True, dark=False, width=1280, height=900):
        self.profile = tempfile.mkdtemp(prefix="assay-browser-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                   "--user-data-dir=" + self.profile, "--no-first-run", "--disable-background-networking",
                   "--disable-component-update", "--disable-sync", "--force-color-profile=srgb", "about:blank"]
        quoted = " ".join("'" + part + "'" for part in command)
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", f"exec {quoted} 3<&{to_browser} 4>&{from_browser}"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.next_id = b"", 0
        self.console, self.errors, self.requests, self.loaded = [], [], [], 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        if not javascript:
            self.call("Emulation.setScriptExecutionDisabled", value=True)
        self.look(width, height, dark)

    def look(self, width, height=900, dark=False, media=""):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def _read(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser did not answer")
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise ConnectionError("the browser ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def _event(self, message):
        name, params = message.get("method"), message.get("params", {})
        if name == "Runtime.consoleAPICalled":
            self.console.append((params["type"], [a.get("value", a.get("description")) for a in params["args"]]))
        elif name == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details.get("text")))
        elif name == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        elif name == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif name == "Page.loadEventFired":
            self.loaded += 1

    def call(self, method, timeout=120, **params):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + timeout
        while True:
            answer = self._read(deadline)
            if answer.get("id") == self.next_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._event(answer)

    def open(self, url, timeout=120):
        """Opens a page and returns the seconds until its load event."""
        seen, began = self.loaded, time.monotonic()
        self.call("Page.navigate", url=url)
        while self.loaded == seen:
            self._event(self._read(began + timeout))
        return time.monotonic() - began

    def run(self, expression):
        """Value of an expression in the page; promises are waited for."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def press(self, key, code=None, text=None):
        """One key, down and up: press("Enter", text="\\r")."""
        common = {"key": key, "code": code or key}
        if text:
            common["text"] = text
        if key == "Enter":
            common["windowsVirtualKeyCode"] = 13
        self.call("Input.dispatchKeyEvent", type="keyDown", **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in common.items() if k != "text"})

    def screenshot(self, file, clip=None, whole=True):
        params = {"format": "png", "captureBeyondViewport": whole}
        if clip:
            params["clip"] = dict(clip, scale=1)
        elif whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            params["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 15000), "scale": 1}
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", **params)["data"]))

    def print_to_pdf(self, file):
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close", timeout=10)
        except (TimeoutError, ConnectionError, BrokenPipeError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
