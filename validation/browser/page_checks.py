"""What must hold of a report's page that is open in a browser."""

INK = 100  # pixels that even an empty scale with names has

DRAWN = """
[...document.querySelectorAll('canvas')].map((canvas) => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let inked = 0;
  for (let at = 3; at < data.length; at += 4) inked += data[at] > 0 ? 1 : 0;
  return {chart: Boolean(Chart.getChart(canvas)), inked, name: canvas.getAttribute('aria-label')};
})
"""

NUMBERS = """
[...document.querySelectorAll('table data')].map((each) => [each.value, each.textContent])
"""

ALL_CELLS = """
[...document.querySelectorAll('section:last-of-type tbody tr')].map((row) =>
  [...row.cells].map((cell) => ({
    text: cell.textContent,
    numbers: [...cell.querySelectorAll('data')].map((each) => Number(each.value)),
  })))
"""

COLUMNS = """
[...document.querySelectorAll('section:last-of-type thead th')].map((cell) => cell.textContent)
"""

REACHABLE = """
[...document.querySelectorAll('a[href], select, summary, [tabindex="0"]')]
  .filter((each) => each.checkVisibility()).length
"""

# Of WCAG 2.2: relative luminance and contrast of the colours of texts on the page's ground.
CONTRASTS = """
(() => {
  const style = getComputedStyle(document.documentElement);
  const luminance = (name) => {
    const hex = style.getPropertyValue(`--${name}`).trim().slice(1);
    const parts = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
    const [r, g, b] = parts.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  return ['ink', 'quiet', 'link', 'good', 'caution', 'bad'].flatMap((name) =>
    ['paper', 'raised'].map((ground) => [`${name} on ${ground}`, contrast(name, ground)]));
})()
"""

STRUCTURE = """
({
  headings: [...document.querySelectorAll('h1, h2, h3, h4')].map((each) => Number(each.tagName[1])),
  landmarks: ['header', 'main', 'footer'].map((name) => document.querySelectorAll(`body > ${name}`).length),
  tables: document.querySelectorAll('table').length,
  captions: document.querySelectorAll('table > caption').length,
  wordless: [...document.querySelectorAll('canvas')].filter((each) =>
    !each.getAttribute('aria-label') || !document.getElementById(each.getAttribute('aria-describedby'))).length,
  figures: document.querySelectorAll('figure').length,
  folded: document.querySelectorAll('figure details table').length,
  repeated: [...document.querySelectorAll('[id]')].map((each) => each.id).filter((id, at, all) => all.indexOf(id) !== at),
})
"""


def check_quiet(page, file):
    assert page.complaints() == []
    assert page.requests() == [file.as_uri()], "the page asked for more than itself"


def check_drawn(page, at_least):
    canvases = page.evaluate(DRAWN)
    assert len(canvases) >= at_least, f"{len(canvases)} charts"
    for each in canvases:
        assert each["chart"] and each["inked"] > INK, f"not drawn: {each}"
    assert page.evaluate("Object.keys(Chart.instances).length") == len(canvases)


def numbers_of(value):
    """Every number in a JSON value."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return set()
    if isinstance(value, (int, float)):
        return {float(value)}
    parts = value.values() if isinstance(value, dict) else value
    return set().union(*map(numbers_of, parts)) if parts else set()


def check_text(value, text):
    """What is read is the number, rounded to the digits that are shown."""
    shown = float(text)
    if "e" in text:
        assert abs(shown - value) <= abs(value) * 0.005, (value, text)
        return
    digits = len(text.partition(".")[2])
    assert abs(shown - value) <= 0.5 * 10**-digits * 1.000001, (value, text)


def check_numbers(page, report):
    """Whatever number a table shows is one of the report, or follows from one: us of ns, and the
    reciprocal of an interval's end."""
    known = numbers_of(report)
    known |= {1 / each for each in known if each} | {each / 1000 for each in known} | {1.0}
    shown = page.evaluate(NUMBERS)
    assert shown, "no number is shown"
    for value, text in shown:
        nearest = min(known, key=lambda each: abs(each - float(value)))
        assert abs(nearest - float(value)) <= 1e-12 * abs(nearest), f"{value} is not in the report"
        check_text(float(value), text)


def check_all_cells(page, report):
    """The last table has every figure of every cell, exactly."""
    head = page.evaluate(COLUMNS)
    rows = page.evaluate(ALL_CELLS)
    assert len(rows) == len(report["cells"])
    names = ("arm", "shape", "dtype", "degree", "schedule", "mode", "status")
    for row, cell in zip(rows, report["cells"], strict=True):
        keys = {name: row[head.index(name)]["text"] for name in names if name in head}
        assert all(str(cell[name]) == text for name, text in keys.items()), (keys, cell)
        shown = [each["numbers"] for each in row if each["numbers"]]
        expected = [
            [metric["value"], *metric.get("ci95", [])] for metric in cell["metrics"].values()
        ]
        assert sorted(shown) == sorted(expected), f"{keys}: {shown} is not {expected}"


def choices(page, what):
    return page.evaluate(f"document.querySelectorAll('#report-0-{what} option').length")


def choose(page, what, at):
    page.evaluate(
        f"(() => {{ const select = document.getElementById('report-0-{what}');"
        f" select.value = '{at}'; select.dispatchEvent(new Event('change')); }})()"
    )


def check_choices(page, report, at_least):
    """Every scenario and every sweep that can be chosen is drawn and says its numbers."""
    for what in ("scenario", "sweep"):
        for at in range(choices(page, what)):
            choose(page, what, at)
            check_drawn(page, at_least)
            check_numbers(page, report)
        if choices(page, what):
            choose(page, what, 0)


def check_keyboard(page):
    """Tab reaches everything that can be used; Enter opens what is folded."""
    page.evaluate("document.activeElement.blur()")
    expected = page.evaluate(REACHABLE)
    page.evaluate("window.reached = new Set()")
    for _ in range(expected + 2):
        page.press("Tab", 9)
        page.evaluate("window.reached.add(document.activeElement), 0")
    missed = page.evaluate(
        "[...document.querySelectorAll('a[href], select, summary, [tabindex=\"0\"]')]"
        ".filter((each) => each.checkVisibility() && !window.reached.has(each))"
        ".map((each) => each.outerHTML.slice(0, 80))"
    )
    assert missed == [], f"not reached by keyboard: {missed}"
    page.evaluate("document.querySelector('figure summary').focus()")
    page.press("Enter", 13, "\r")
    assert page.evaluate("document.querySelector('figure details').open"), "Enter opens nothing"
    if choices(page, "scenario") > 1:
        page.evaluate("document.getElementById('report-0-scenario').focus()")
        before = page.evaluate("document.getElementById('report-0-scenario').value")
        page.press("ArrowDown" if before == "0" else "ArrowUp", 40 if before == "0" else 38)
        after = page.evaluate("document.getElementById('report-0-scenario').value")
        assert before != after, "the scenario can't be chosen by keyboard"


def check_structure(page):
    found = page.evaluate(STRUCTURE)
    levels = found["headings"]
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels
    assert found["landmarks"] == [1, 1, 1]
    assert found["tables"] == found["captions"] > 0
    assert found["wordless"] == 0
    assert found["figures"] == found["folded"] > 0, "a chart without its table"
    assert found["repeated"] == []
