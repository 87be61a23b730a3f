// The list: rows of cases and frames that the filters ask for, of which only those in sight are elements.

const HEIGHTS = { case: 30, tall: 54, short: 26, fold: 26 };
const tree = byId('tree');
const shelf = byId('rows');

/** Rows in order, with where each begins; what is folded otherwise than it would be; the elements there are. */
const list = { rows: [], tops: [0], turned: new Set(), shown: new Map(), active: null, status: null, words: [] };

/** Frames as the filters ask, by case, with passed ones folded away unless they are asked for. */
function makeRows() {
  const { status, words, turned, rows } = list;
  rows.length = 0;
  const asked = status === 'passed' || words.length > 0;
  const wanted = entry => (status === null || entry.status === status) && words.every(word => entry.search.includes(word));
  const among = cases.map(each => ({ each, found: each.entries.filter(wanted) })).filter(({ found }) => found.length);
  let matches = 0;
  for (const [index, { each, found }] of among.entries()) {
    matches += found.length;
    const passed = found.filter(entry => entry.status === 'passed');
    const loud = found.slice(0, found.length - passed.length);
    const open = key => turned.has(key);
    const key = `case ${each.kase.name}`;
    const shown = (loud.length > 0 || asked) !== open(key);
    const heading = { kind: 'case', key, each, found, open: shown, level: 1, at: index + 1, of: among.length };
    rows.push(heading);
    if (!shown) continue;
    const fold = loud.length > 0 && passed.length > 0;
    const of = loud.length + (fold ? 1 : passed.length);
    const push = (entry, level, at, of, parent) => {
      const height = entry.status === 'passed' ? 'short' : 'tall';
      rows.push({ kind: 'frame', height, key: entry, entry, level, at, of, parent });
    };
    loud.forEach((entry, at) => push(entry, 2, at + 1, of, heading));
    if (fold) {
      const key = `passed ${each.kase.name}`;
      const shown = asked !== open(key);
      const row = { kind: 'fold', key, each, found: passed, open: shown, level: 2, at: of, of, parent: heading };
      rows.push(row);
      if (shown) passed.forEach((entry, at) => push(entry, 3, at + 1, passed.length, row));
    } else {
      passed.forEach((entry, at) => push(entry, 2, at + 1, of, heading));
    }
  }
  list.tops = [0];
  for (const row of rows) list.tops.push(list.tops.at(-1) + HEIGHTS[row.height ?? row.kind]);
  return matches;
}

/** What a row says at its right: how many of what, or how far a picture is off. */
function tally(found) {
  const parts = [];
  for (const status of STATUSES) {
    const count = found.filter(entry => entry.status === status).length;
    if (count) parts.push(make('span', { class: 'tally' }, mark(status), number(count)));
  }
  return parts;
}

function caption(row) {
  if (row.kind !== 'frame') {
    const said = STATUSES.map(status => [status, row.found.filter(entry => entry.status === status).length]);
    const counted = said.filter(([, count]) => count).map(([status, count]) => `${count} ${status}`).join(', ');
    return row.kind === 'case' ? `${row.each.kase.name}: ${counted}` : counted;
  }
  const { frame, kase, status } = row.entry;
  return `${status}: ${kase.name} ${frame.name}${frame.message ? `. ${frame.message}` : ''}`;
}

/** How far a picture is off, in the words that fit in a row. */
function inShort({ outliers, pixels, largest, alphaOnly }) {
  return `${percent(outliers, pixels)}, up to ${largest?.difference ?? 0}${alphaOnly ? ', only alpha' : ''}`;
}

function rowElement(row, index) {
  const element = make('div', {
    id: `row-${index}`, role: 'treeitem', class: `row ${row.height ?? row.kind} level-${row.level}`,
    'aria-level': row.level, 'aria-posinset': row.at, 'aria-setsize': row.of, 'aria-label': caption(row),
    'aria-expanded': row.kind === 'frame' ? null : String(row.open),
  });
  element.style.top = `${list.tops[index]}px`;
  const chevron = () => make('span', { class: 'chevron', 'aria-hidden': 'true' }, row.open ? '▾' : '▸');
  if (row.kind === 'case') {
    const noted = row.each.kase.notes.length ? [make('span', { class: 'tag', title: row.each.kase.notes.join('\n') }, 'note')] : [];
    element.append(chevron(), make('bdi', { class: 'name', title: row.each.kase.name }, row.each.kase.name), ...noted,
      make('span', { class: 'right' }, ...tally(row.found)));
  } else if (row.kind === 'fold') {
    element.append(chevron(), mark('passed'), make('span', { class: 'name' }, many(row.found.length, 'frame') + ' passed'));
  } else {
    const { frame, status, pictures } = row.entry;
    const words = make('span', { class: 'words' }, make('bdi', { class: 'name', title: frame.name }, frame.name || 'not drawn'));
    const said = frame.difference ? inShort(frame.difference) : frame.message;
    if (said) words.append(make('span', { class: 'said' }, said));
    element.append(mark(status), words);
    if (pictures && row.height === 'tall') {
      for (const which of ['actual', 'difference']) {
        const place = make('span', { class: 'thumb' });
        if (pictures[which] !== null) picture(pictures[which], src => place.append(make('img', { src, alt: '' })));
        else place.classList.add('empty');
        element.append(place);
      }
    }
  }
  return element;
}

/** The row at a height of the list. */
function rowAt(y) {
  let [low, high] = [0, list.rows.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list.tops[middle] <= y) low = middle; else high = middle;
  }
  return low;
}

/** Makes the rows in sight, and the active one, elements; no others are. */
function drawRows() {
  const { rows, shown, active } = list;
  const wanted = new Set();
  if (rows.length) {
    const first = Math.max(rowAt(tree.scrollTop - 200), 0);
    const last = rowAt(tree.scrollTop + tree.clientHeight + 200);
    for (let index = first; index <= last; index++) wanted.add(index);
    if (active !== null) wanted.add(active);
  }
  for (const [index, element] of shown) {
    if (!wanted.has(index)) {
      element.remove();
      shown.delete(index);
    }
  }
  for (const index of wanted) {
    if (!shown.has(index)) {
      const element = rowElement(rows[index], index);
      shown.set(index, element);
      shelf.append(element);
    }
    shown.get(index).setAttribute('aria-selected', String(index === active));
  }
  if (active === null) tree.removeAttribute('aria-activedescendant');
  else tree.setAttribute('aria-activedescendant', `row-${active}`);
}

/** Scrolls as little as it takes to see the active row, and the case that it is the first frame of. */
function revealRow() {
  const { active, tops, rows } = list;
  if (active === null) return;
  const heading = active > 0 && rows[active - 1].kind === 'case' ? active - 1 : active;
  if (tops[heading] < tree.scrollTop) tree.scrollTop = tops[heading];
  else if (tops[active + 1] > tree.scrollTop + tree.clientHeight) tree.scrollTop = tops[active + 1] - tree.clientHeight;
}

/** Fills the list anew; the row that was active stays it, if it is still there. Gives the number of frames. */
function fillList() {
  const key = list.active === null ? null : list.rows[list.active].key;
  const matches = makeRows();
  const kept = list.rows.findIndex(row => row.key === key);
  list.active = kept < 0 ? null : kept;
  for (const element of list.shown.values()) element.remove();
  list.shown.clear();
  shelf.style.height = `${list.tops.at(-1)}px`;
  drawRows();
  return matches;
}

/** Folds or unfolds a row. */
function turn(row) {
  if (!list.turned.delete(row.key)) list.turned.add(row.key);
}

tree.addEventListener('scroll', () => requestAnimationFrame(drawRows), { passive: true });
new ResizeObserver(drawRows).observe(tree);
