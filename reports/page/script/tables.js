// Tables, each in a box of its own that scrolls.

/**
 * A table. `columns`: {head, unit, cell(row)}, and what they hold: number, name (kept in a line),
 * label (may be broken) or words; the first one names its row.
 * `options`: tall (it scrolls downwards, too), chosen(row).
 */
function table(caption, columns, rows, options = {}) {
  const head = columns.map((column) => element(
      'th', {scope: 'col', class: column.number ? 'number' : null}, column.head,
      column.unit ? element('span', {class: 'unit'}, ` ${column.unit}`) : null));
  const body = rows.map((row) => element(
      'tr', {class: options.chosen && options.chosen(row) ? 'chosen' : null},
      columns.map((column, at) => element(
          at === 0 ? 'th' : 'td', {scope: at === 0 ? 'row' : null, class: classOf(column)},
          column.cell(row)))));
  const made = element('table', {}, element('caption', {}, caption),
                       element('thead', {}, element('tr', {}, head)), element('tbody', {}, body));
  // The box can be reached by keyboard, so that it can be scrolled with it.
  return element('div', {
    class: options.tall ? 'scroll tall' : 'scroll',
    role: 'region',
    'aria-label': caption,
    tabindex: '0',
  }, made);
}

function classOf(column) {
  if (column.number) return 'number';
  if (column.words) return 'words';
  if (column.label) return 'label';
  return column.name ? 'name' : null;
}

function details(summary, ...content) {
  return element('details', {}, element('summary', {}, summary), ...content);
}

/** A labelled choice; `change(index)` is called with what was chosen. */
function choice(label, id, names, change) {
  const select = element('select', {id}, names.map((name, at) => element(
      'option', {value: at}, name)));
  select.addEventListener('change', () => change(Number(select.value)));
  return element('div', {class: 'choice'}, element('label', {for: id}, label), select);
}
