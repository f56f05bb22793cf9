// Elements of the document, and numbers as people read them.

/** An element with attributes and children: texts, elements, or lists of them. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** As reports/figures.cpp writes it: four significant digits or so. */
function compact(value) {
  const size = Math.abs(value);
  if (size >= 1e7) return value.toPrecision(3);
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : 2);
}

/** A ratio, which may differ from 1 by little. */
function ratioText(value) {
  return Math.abs(value) >= 100 ? compact(value) : value.toFixed(3);
}

function bytesText(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let at = 0;
  while (bytes >= 1024 && at + 1 < units.length) {
    bytes /= 1024;
    at += 1;
  }
  return `${Number(bytes.toPrecision(3))} ${units[at]}`;
}

function counted(count, what) {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** A number of the report: what is read, and beside it the exact value. */
function number(value, text = compact) {
  return element('data', {value: String(value)}, text(value));
}

/** "1.94 [1.94, 1.95]"; a dash for what was not measured. */
function figure(metric, text = compact) {
  if (!metric) return ['–'];
  const parts = [number(metric.value, text)];
  if (metric.ci95) {
    parts.push(element('span', {class: 'range'}, ' [', number(metric.ci95[0], text), ', ',
                       number(metric.ci95[1], text), ']'));
  }
  return parts;
}
