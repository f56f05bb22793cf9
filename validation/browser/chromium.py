"""Drives a headless Chromium by its DevTools protocol, over a pipe: nothing but the browser is needed.

https://chromedevtools.github.io/devtools-protocol names the methods, events and their fields.
"""

import base64
import contextlib
import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PACKAGE = "a Chromium (on Debian the package chromium; on Ubuntu Google's package of Chrome)"


class NoBrowser(Exception):
    """There is none here that starts, for the reason given."""


class BrowserError(AssertionError):
    """The browser refused what was asked, or ended."""


def find():
    """The browser's file: ITHACA_BROWSER, or the first of the usual names that is one."""
    chosen = os.environ.get("ITHACA_BROWSER")
    if chosen:
        return chosen
    for name in NAMES:
        found = shutil.which(name)
        if found and not is_snap_stub(found):
            return found
    raise NoBrowser(f"no browser was found: install {PACKAGE}, or set ITHACA_BROWSER")


def is_snap_stub(file):
    """Ubuntu's package is a script that hands over to a snap, which sees no file outside its own."""
    target = pathlib.Path(file).resolve()
    if "/snap/" in str(target) or target.name == "snap":
        return True
    with open(target, "rb") as opened:
        beginning = opened.read(4096)
    return beginning.startswith(b"#!") and b"snap" in beginning


def flags(folder):
    """Quiet, and the same picture on every machine."""
    always = [
        "--headless=new",
        "--remote-debugging-pipe",
        f"--user-data-dir={folder}",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--force-color-profile=srgb",
        "--hide-scrollbars",
    ]
    return always + (["--no-sandbox"] if os.geteuid() == 0 else [])


@contextlib.contextmanager
def started():
    """A browser, ended with all that it started. Raises NoBrowser if none is here or none starts."""
    file = find()
    with tempfile.TemporaryDirectory(prefix="ithaca-browser-", ignore_cleanup_errors=True) as folder:
        browser = Browser(file, folder)
        try:
            browser.begin()
            yield browser
        finally:
            browser.end()


class Browser:
    """The process and its pipe: commands go out, answers and events come in."""

    def __init__(self, file, folder):
        from_us, to_browser = os.pipe()
        from_browser, from_it = os.pipe()
        self.error_file = tempfile.TemporaryFile()
        self.process = subprocess.Popen(  # the browser reads descriptor 3 and writes 4
            ["sh", "-c", f'exec "$0" "$@" 3<&{from_us} 4>&{from_it}', file, *flags(folder)],
            pass_fds=(from_us, from_it),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.error_file,
            start_new_session=True,
        )
        os.close(from_us)
        os.close(from_it)
        self.out = os.fdopen(to_browser, "wb", buffering=0)
        self.incoming = os.fdopen(from_browser, "rb", buffering=0)
        self.messages = queue.Queue()
        self.pages = {}
        self.next_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def begin(self):
        try:
            self.version = self.send("Browser.getVersion", within_s=30)["product"]
        except BrowserError as failure:
            self.error_file.seek(0)
            said = self.error_file.read().decode(errors="replace").strip().splitlines()
            raise NoBrowser(f"the browser does not start: {failure}; {' '.join(said[-3:])}") from None

    def end(self):
        with contextlib.suppress(BrowserError, OSError):
            self.send("Browser.close", within_s=5)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, 9)
        self.process.wait()
        self.out.close()
        self.error_file.close()

    def page(self):
        """A new page, whose console and requests are watched from the start."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        self.pages[session] = page
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        return page

    def send(self, method, within_s=60, session=None, **parameters):
        """Asks for something and returns its result; events that come before it are handed on."""
        self.next_id += 1
        wanted = self.next_id
        command = {"id": wanted, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        try:
            self.out.write(json.dumps(command).encode() + b"\0")
        except BrokenPipeError:
            raise BrowserError("it has ended") from None
        deadline = time.monotonic() + within_s
        while True:
            message = self._next(deadline, method)
            if message.get("id") != wanted:
                self._hand_on(message)
            elif "error" in message:
                raise BrowserError(f"{method}: {message['error']['message']}")
            else:
                return message["result"]

    def wait_for_event(self, page, method, within_s=60):
        """Waits until `page` has had that event; one that came before counts."""
        deadline = time.monotonic() + within_s
        while not any(each["method"] == method for each in page.events):
            self._hand_on(self._next(deadline, method))

    def take_events(self, for_s=0.2):
        """Hands on what comes within that time."""
        deadline = time.monotonic() + for_s
        with contextlib.suppress(queue.Empty):
            while True:
                message = self.messages.get(timeout=max(0, deadline - time.monotonic()))
                if message is None:
                    raise BrowserError("it has ended")
                self._hand_on(message)

    def _next(self, deadline, awaited):
        try:
            message = self.messages.get(timeout=max(0, deadline - time.monotonic()))
        except queue.Empty:
            raise BrowserError(f"{awaited}: no answer in time") from None
        if message is None:
            raise BrowserError("it has ended")
        return message

    def _hand_on(self, message):
        page = self.pages.get(message.get("sessionId"))
        if page and "method" in message:
            page.events.append(message)

    def _read(self):
        rest = b""
        while part := self.incoming.read(1 << 16):
            *whole, rest = (rest + part).split(b"\0")
            for each in whole:
                self.messages.put(json.loads(each))
        self.incoming.close()
        self.messages.put(None)


class Page:
    """One page. `events` holds all that it has reported, oldest first."""

    def __init__(self, browser, session):
        self.browser = browser
        self.session = session
        self.events = []

    def send(self, method, within_s=60, **parameters):
        return self.browser.send(method, within_s, self.session, **parameters)

    def open(self, url, within_s=60):
        """Opens an address and waits until it has loaded."""
        self.events.clear()
        failure = self.send("Page.navigate", url=url).get("errorText")
        assert not failure, f"{url} can't be opened: {failure}"
        self.browser.wait_for_event(self, "Page.loadEventFired", within_s)

    def evaluate(self, expression, within_s=60):
        """The value of a JavaScript expression, awaited if it is a promise."""
        outcome = self.send(
            "Runtime.evaluate",
            within_s,
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        if "exceptionDetails" in outcome:
            thrown = outcome["exceptionDetails"]
            raise BrowserError(thrown.get("exception", {}).get("description", thrown["text"]))
        return outcome["result"].get("value")

    def wait_until(self, expression, within_s=60):
        """Waits until a JavaScript expression is true."""
        deadline = time.monotonic() + within_s
        while not self.evaluate(f"Boolean({expression})"):
            said = "; the page: " + "; ".join(self.complaints()) if time.monotonic() > deadline else ""
            assert not said, f"never true within {within_s} s: {expression}{said}"
            time.sleep(0.05)

    def resize(self, width, height):
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def prefer(self, scheme):
        """"light" or "dark", as the person's system would say."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", features=features)

    def press(self, key, code=0, text=""):
        """A key by its name, e.g. "Tab" (code 9)."""
        fields = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        down = {"text": text} if text else {}
        self.send(
            "Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **fields, **down
        )
        self.send("Input.dispatchKeyEvent", type="keyUp", **fields)

    def screenshot(self, file, whole=True):
        """A picture of the page, or of what can be seen of it."""
        width, height = self.evaluate("[innerWidth, innerHeight]")
        if whole:
            # Not captureBeyondViewport, which leaves out canvases here and there.
            self.resize(width, self.evaluate("document.documentElement.scrollHeight"))
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        taken = self.send("Page.captureScreenshot")
        pathlib.Path(file).write_bytes(base64.b64decode(taken["data"]))
        if whole:
            self.resize(width, height)

    def complaints(self):
        """What the console was told as error or warning, and exceptions that nobody caught."""
        self.browser.take_events()
        found = []
        for each in self.events:
            of = each["params"]
            if each["method"] == "Runtime.exceptionThrown":
                thrown = of["exceptionDetails"]
                found.append(thrown.get("exception", {}).get("description", thrown["text"]))
            elif each["method"] == "Log.entryAdded" and of["entry"]["level"] in ("error", "warning"):
                found.append(f"{of['entry']['level']}: {of['entry']['text']}")
            elif each["method"] == "Runtime.consoleAPICalled" and of["type"] in ("error", "warning"):
                said = [str(part.get("value", part.get("description"))) for part in of["args"]]
                found.append(f"{of['type']}: {' '.join(said)}")
        return found

    def requests(self):
        """The addresses that the page has asked for, its own first."""
        self.browser.take_events()
        sent = [each for each in self.events if each["method"] == "Network.requestWillBeSent"]
        return [each["params"]["request"]["url"] for each in sent]


if __name__ == "__main__":
    # Says which browser the tests take, for scripts/setup.sh.
    try:
        print(find())
    except NoBrowser as nothing:
        raise SystemExit(str(nothing)) from None
