// Head, filters, keys and the way through the frames.

function fillHead() {
  const [kind, words] = verdict();
  document.title = `${words} – ${report.suite}`;
  byId('suite').textContent = visible(report.suite);
  byId('verdict').textContent = words;
  byId('head').dataset.verdict = kind;
  const drawers = new Map();
  for (const { kase } of cases) {
    if (kase.drawnBy) drawers.set(drawnBy(kase.drawnBy), (drawers.get(drawnBy(kase.drawnBy)) ?? 0) + 1);
  }
  const drawn = [...drawers].map(([by, count]) => (drawers.size > 1 ? `${by} (${many(count, 'case')})` : by));
  byId('facts').replaceChildren(...[
    many(report.summary.cases, 'case'),
    report.shard && `part ${report.shard.index} of ${report.shard.total}`,
    drawn.length ? `drawn by ${drawn.join(', ')}` : null,
    `pchr-view ${report.version}`,
  ].filter(fact => fact).map(fact => make('span', {}, fact)));
  byId('errors').hidden = report.errors.length === 0;
  byId('errors').replaceChildren(...report.errors.map(error => make('li', {}, error)));
  const beyond = entries.filter(({ beside }) => beside).length;
  byId('beyond').hidden = beyond === 0;
  byId('beyond').textContent = `The pictures of ${many(beyond, 'frame')} are not in this page: they are in pictures/ beside it.`;
  const notes = new Map();
  for (const { kase } of cases) {
    const made = kase.baselineVersions.map(version => `baselines were made by pchr-view ${version}, these pictures by ${report.version}`);
    for (const note of [...made, ...kase.notes]) notes.set(note, [...(notes.get(note) ?? []), kase.name]);
  }
  byId('notes').hidden = notes.size === 0;
  byId('notes').open = notes.size <= 2 && innerWidth >= 800;
  byId('notes').firstElementChild.textContent = many(notes.size, 'note');
  byId('notes').lastElementChild.replaceChildren(...[...notes].map(([note, names]) => make('li', {}, note, ' ',
    make('span', { class: 'quiet', title: names.slice(0, 50).join('\n') }, names.length === 1 ? names[0] : many(names.length, 'case')))));
  const button = (status, title, count) => {
    const made = make('button', { type: 'button', 'aria-pressed': 'false', 'data-status': status ?? '' },
      ...(status ? [mark(status)] : []), title, make('b', {}, number(count)));
    made.addEventListener('click', () => {
      list.status = list.status === status ? null : status;
      refilter();
    });
    return made;
  };
  byId('statuses').replaceChildren(button(null, 'All', entries.length),
    ...STATUSES.filter(status => counts[status]).map(status => button(status, TITLES[status], counts[status])));
}

/** Lists what the filters ask for, and goes to the first of it unless what is shown is among it. */
function refilter() {
  list.words = byId('find').value.toLowerCase().split(/\s+/).filter(word => word);
  list.turned.clear();
  for (const button of byId('statuses').children) {
    button.setAttribute('aria-pressed', String(button.dataset.status === (list.status ?? '')));
  }
  refill();
  if (list.active === null) walk(first());
  revealRow();
  drawRows();
}

function refill() {
  const matches = fillList();
  byId('none').hidden = list.rows.length > 0 || entries.length === 0;
  byId('count').textContent = matches === entries.length ? many(matches, 'frame') : `${number(matches)} of ${many(entries.length, 'frame')}`;
  sayPosition();
}

/** The row to begin with: the first frame, or the first case if all are folded. */
function first() {
  const frame = list.rows.findIndex(row => row.kind === 'frame');
  return frame < 0 ? 0 : frame;
}

/** Makes a row the active one and shows what it is about. */
function walk(index) {
  const row = list.rows[index];
  if (!row) return;
  const changed = list.active === null || list.rows[list.active] !== row || view.about !== row.key;
  list.active = index;
  view.about = row.key;
  if (changed) {
    if (row.kind === 'frame') showFrame(row.entry); else showCase(row);
    byId('frame').scrollTop = 0;
    nameInAddress(row);
  }
  revealRow();
  drawRows();
  sayPosition();
}

/** Puts the frame into the address, for links to it. */
function nameInAddress(row) {
  const hash = row.kind === 'frame' ? `#${row.entry.path.split('/').map(encodeURIComponent).join('/')}` : '';
  try {
    history.replaceState(null, '', location.pathname + location.search + hash);
  } catch {
    // Inside a frame of another page, the page may have no address and no links.
  }
}

/** The nearest row in a direction that is a stop; null at the end. */
function step(by, stop) {
  for (let index = (list.active ?? -1) + by; index >= 0 && index < list.rows.length; index += by) {
    if (stop(list.rows[index])) return index;
  }
  return null;
}

const isFrame = row => row.kind === 'frame';
const isStop = row => row.kind === 'frame' || !row.open;

function stepTo(by, stop) {
  const index = step(by, stop);
  if (index !== null) walk(index);
}

function sayPosition() {
  const frames = list.rows.filter(isFrame);
  const at = list.active === null ? -1 : frames.indexOf(list.rows[list.active]);
  byId('position').textContent = at < 0 ? '' : `${number(at + 1)} of ${number(frames.length)}`;
  byId('previous').disabled = step(-1, isFrame) === null;
  byId('next').disabled = step(1, isFrame) === null;
}

/** Goes to the frame that the address names, unfolding and unfiltering what hides it. */
function goToHash() {
  let path;
  try {
    path = decodeURIComponent(location.hash.slice(1));
  } catch {
    return false;
  }
  const entry = byPath.get(path);
  if (!entry) return false;
  const find = () => list.rows.findIndex(row => row.entry === entry);
  if (find() < 0) {
    list.status = null;
    byId('find').value = '';
    list.turned.clear();
    makeRows();
    for (let tries = 0; tries < 2 && find() < 0; tries++) {
      list.rows.filter(row => row.found?.includes(entry) && !row.open).forEach(turn);
      makeRows();
    }
    for (const button of byId('statuses').children) button.setAttribute('aria-pressed', String(button.dataset.status === ''));
    refill();
  }
  walk(find());
  return true;
}

function turnActive(open) {
  const row = list.rows[list.active];
  if (!row || row.kind === 'frame' || row.open === open) return false;
  turn(row);
  refill();
  walk(list.active);
  return true;
}

const TREE_KEYS = {
  ArrowDown: () => stepTo(1, isStop),
  ArrowUp: () => stepTo(-1, isStop),
  Home: () => walk(0),
  End: () => walk(list.rows.length - 1),
  ArrowRight: () => turnActive(true) || (list.rows[list.active]?.open && stepTo(1, () => true)),
  ArrowLeft: () => turnActive(false) || (list.rows[list.active]?.parent && walk(list.rows.indexOf(list.rows[list.active].parent))),
  Enter: () => turnActive(!list.rows[list.active]?.open),
  ' ': () => turnActive(!list.rows[list.active]?.open),
};

const PANE_KEYS = {
  ArrowLeft: () => pan(32, 0), ArrowRight: () => pan(-32, 0), ArrowUp: () => pan(0, 32), ArrowDown: () => pan(0, -32),
};

const HANDLE_KEYS = {
  ArrowLeft: () => setSplit(view.split - 0.01), ArrowRight: () => setSplit(view.split + 0.01),
  ArrowDown: () => setSplit(view.split - 0.01), ArrowUp: () => setSplit(view.split + 0.01),
  PageDown: () => setSplit(view.split - 0.1), PageUp: () => setSplit(view.split + 0.1),
  Home: () => setSplit(0), End: () => setSplit(1),
};

const KEYS = {
  j: () => stepTo(1, isFrame), k: () => stepTo(-1, isFrame),
  ArrowDown: () => stepTo(1, isStop), ArrowUp: () => stepTo(-1, isStop),
  1: () => setMode('side'), 2: () => setMode('slider'), 3: () => setMode('blink'), 4: () => setMode('difference'),
  b: () => setMode('blink'), m: () => setMarked(!isMarked()),
  ' ': () => mode() === 'blink' && setPaused(!view.paused), o: () => mode() === 'blink' && (setPaused(true), other()),
  '+': () => stepZoom(true), '=': () => stepZoom(true), '-': () => stepZoom(false), 0: () => view.size && setZoom(null),
  '/': () => byId('find').select(), '?': () => byId('keys').showModal(),
};

document.addEventListener('keydown', event => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || byId('keys').open) return;
  if (target.id === 'find') {
    if (key === 'Escape' || key === 'Enter') tree.focus();
    return;
  }
  if (target.tagName === 'SELECT') return;
  const presses = target.closest('button, summary') && (key === ' ' || key === 'Enter');
  const own = target === tree ? TREE_KEYS : target === panes ? PANE_KEYS : target.id === 'handle' ? HANDLE_KEYS : {};
  const action = presses ? undefined : own[key] ?? KEYS[key];
  if (action) {
    event.preventDefault();
    action();
  }
});

function setMode(next) {
  if (view.entry === null || sides().length === 0) return;
  view.mode = next;
  build();
}

function setMarked(marked) {
  view.marked = marked;
  if (view.entry) build();
}

function listen() {
  const click = (id, action) => byId(id).addEventListener('click', action);
  byId('find').addEventListener('input', refilter);
  click('all', () => {
    list.status = null;
    byId('find').value = '';
    refilter();
    byId('find').focus();
  });
  click('help', () => byId('keys').showModal());
  click('previous', () => stepTo(-1, isFrame));
  click('next', () => stepTo(1, isFrame));
  click('in', () => stepZoom(true));
  click('out', () => stepZoom(false));
  click('fit', () => view.size && setZoom(null));
  click('mark', () => setMarked(!isMarked()));
  click('pause', () => setPaused(!view.paused));
  click('other', () => { setPaused(true); other(); });
  byId('rate').addEventListener('change', showBlink);
  for (const button of byId('modes').children) button.addEventListener('click', () => setMode(button.dataset.mode));
  for (const button of byId('behind').children) {
    button.addEventListener('click', () => {
      view.behind = button.dataset.behind;
      build();
    });
  }
  tree.addEventListener('click', event => {
    const element = event.target.closest('.row');
    if (!element) return;
    const index = Number(element.id.slice('row-'.length));
    walk(index);
    const row = list.rows[index];
    if (row.kind !== 'frame') turnActive(!row.open);
    else if (matchMedia('(max-width: 799px)').matches) byId('frame').scrollIntoView();
  });
  addEventListener('hashchange', goToHash);
}

fillHead();
listen();
byId('head').hidden = false;
byId('body').hidden = !hasRun;
refilterFirst();

function refilterFirst() {
  const asked = location.hash;
  list.words = [];
  byId('statuses').firstElementChild.setAttribute('aria-pressed', 'true');
  refill();
  if (!(asked && goToHash())) walk(first());
}
