// Facts about a frame or a case, in words and numbers.

/** Colours of the histogram's ranges in the difference picture; those within the tolerance have one of their own. */
const COLORS = ['#e86014', '#f07412', '#f78814', '#fc9c1c', '#ffb02c', '#ffc444', '#ffd764', '#ffe996', '#fffad2'];
const TOLERATED = '#4090ff';

/** A share in percent with two digits that say something, and never 0 or 100 for what is neither. */
function percent(part, whole) {
  const share = (100 * part) / whole;
  if (part === 0) return '0 %';
  if (share < 0.01) return 'below 0.01 %';
  if (share >= 99.995 && part < whole) return 'over 99.99 %';
  return `${share < 10 ? share.toFixed(2) : share.toFixed(1)} %`;
}

/** A shell takes the word as it is. */
const quoted = word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The colour of a range. The tolerance may end within one: then it has both. */
function colorOf({ from, to }, index, tolerance) {
  if (to <= tolerance) return TOLERATED;
  return from > tolerance ? COLORS[index] : `linear-gradient(to right, ${TOLERATED} 50%, ${COLORS[index]} 50%)`;
}

function histogram({ histogram: buckets, tolerance }) {
  const most = Math.max(...buckets.map(({ pixels }) => pixels), 1);
  const column = (bucket, index) => {
    const { from, to, pixels } = bucket;
    const label = from === to ? [from] : [`${from}–`, make('wbr'), to];
    const bar = make('span', { class: pixels ? 'bar-of' : 'bar-of none' });
    // Square roots, so that few pixels are seen beside many.
    bar.style.height = pixels ? `${Math.max(3, 56 * Math.sqrt(pixels / most))}px` : '0';
    bar.style.setProperty('--color', colorOf(bucket, index, tolerance));
    return make('li', {},
      make('span', { class: 'many' }, pixels ? number(pixels) : '·'), bar, make('span', { class: 'range' }, ...label));
  };
  return make('figure', { class: 'histogram' },
    make('figcaption', {}, 'Pixels by size of difference', tolerance ? `, blue up to the tolerance of ${tolerance}` : ''),
    make('ol', {}, ...buckets.map(column)));
}

function differenceFigures(difference, pictured) {
  const { pixels, ignored, differing, tolerance, outliers, allowedOutliers, largest, alphaOnly, meanFlip } = difference;
  const figure = (term, ...words) => make('div', {}, make('dt', {}, term), make('dd', {}, ...words));
  const place = ([x, y]) => {
    if (!pictured) return `at ${x}, ${y}`;
    const show = make('button', {
      type: 'button', id: 'show-largest', title: 'Show it', 'aria-label': `Show the largest difference, at ${x}, ${y}`,
    }, `at ${x}, ${y}`);
    show.addEventListener('click', showLargest);
    return show;
  };
  return make('dl', { class: 'figures' },
    figure('Outliers', make('b', {}, number(outliers)), ` of ${number(pixels)} pixels, ${percent(outliers, pixels)}`),
    figure('Allowed', `${number(allowedOutliers)}, tolerance ${tolerance} of 255`),
    ...(largest ? [figure('Largest', make('b', {}, String(largest.difference)), ' of 255 ', place(largest.at))] : []),
    figure('Not equal', `${many(differing, 'pixel')}, ${percent(differing, pixels)}`),
    ...(ignored ? [figure('Ignored', `${many(ignored, 'pixel')}, ${percent(ignored, pixels + ignored)} of the picture`)] : []),
    ...(meanFlip === null ? [] : [figure('Mean FLIP', meanFlip.toFixed(4))]),
    ...(alphaOnly ? [figure('Channels', make('b', { class: 'alpha' }, 'only alpha differs'), ': see it on black and on white')] : []));
}

/** A command, or a path, with a button that copies it. */
function commandLine(title, command) {
  const button = make('button', { type: 'button' }, 'Copy');
  button.setAttribute('aria-label', `Copy: ${title}`);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(command);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    byId('told').textContent = `${button.textContent}: ${title}`;
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  // Words are kept whole: no line ends after a hyphen.
  const words = command.split(/(\s+)/).map(word => (/\S/.test(word) ? make('span', {}, word) : word));
  const code = make('code', { tabindex: 0, role: 'group', 'aria-label': title }, ...words);
  return make('div', { class: 'command' }, make('span', { class: 'quiet' }, title), code, button);
}

/** What can be done about a frame. */
function commands({ status, kase, frame }) {
  const suite = report.suite.startsWith('-') ? `./${report.suite}` : report.suite;
  const again = `pchr-view test ${quoted(suite)} ${quoted(`--case=${kase.name}`)}`;
  const update = `${again} --update`;
  const lines = [];
  if (frame.command) lines.push(commandLine("Draw only this picture (in sh, in the suite's folder)", frame.command));
  if (status === 'failed') lines.push(commandLine('If the change is intended: save the new pictures of this case as its baselines', update));
  if (status === 'missing') lines.push(commandLine('If the picture is right: save it as the baseline', update));
  if (status === 'unused' && kase.error === null) {
    lines.push(commandLine('If it is not needed: remove the unused baselines of this case', `${again} --prune`));
  }
  return lines;
}

/** Where the pictures are that the page does not hold. */
function showFiles(entry) {
  const beside = entry?.beside ?? false;
  byId('beside').hidden = !beside;
  const { expected, actual, difference } = beside ? entry.frame.pictures : {};
  const file = (title, path) => (path ? [commandLine(title, path)] : []);
  byId('beside').replaceChildren(
    make('p', {}, 'The pictures of this frame would make this page too large to open. They are in files beside it.'),
    ...file('Expected', expected), ...file('Actual', actual), ...file('Difference', difference));
}

const SAID = {
  passed: 'It matches its baseline.', updated: 'Its baseline was written by this run.',
  skipped: 'No adapter could draw it.', missing: 'It has no baseline yet.', failed: 'It differs from its baseline.',
  error: 'It could not be compared.', unused: 'No case uses this baseline.', removed: 'This run removed the unused baseline.',
};

function showFrame(entry) {
  const { kase, frame, status } = entry;
  byId('name').replaceChildren(
    make('span', { class: `badge ${status}` }, mark(status), TITLES[status]),
    make('bdi', {}, kase.name), ...(frame.name ? [make('span', { class: 'slash' }, '/'), make('bdi', {}, frame.name)] : []));
  about(kase, frame.animation === null ? [] : [
    make('span', {}, 'animation ', make('bdi', {}, frame.animation), frame.frame === null ? '' : `, frame ${frame.frame}`)]);
  byId('message').textContent = visible(frame.message || SAID[status]);
  byId('message').className = status;
  const figures = frame.difference ? [differenceFigures(frame.difference, entry.pictures !== null), histogram(frame.difference)] : [];
  byId('figures').replaceChildren(
    ...(figures.length ? [make('div', { class: 'measured' }, ...figures)] : []), ...commands(entry), ...noteList(kase));
  showFiles(entry);
  showPictures(entry);
}

function about(kase, more) {
  if (kase.file === '') {
    byId('about').replaceChildren(make('span', {}, 'no case of the suite has this name'));
    return;
  }
  byId('about').replaceChildren(...more, make('bdi', {}, kase.file), kase.drawnBy ? `drawn by ${drawnBy(kase.drawnBy)}` : 'nothing was drawn');
  for (const child of [...byId('about').childNodes]) {
    if (child.nodeType === Node.TEXT_NODE) child.replaceWith(make('span', {}, child.textContent));
  }
}

function noteList(kase) {
  return kase.notes.length ? [make('ul', { class: 'noted' }, ...kase.notes.map(note => make('li', {}, note)))] : [];
}

/** What is known about a case, or what is folded of it. */
function showCase({ each: { kase, entries } }) {
  byId('name').replaceChildren(make('bdi', {}, kase.name));
  about(kase, []);
  byId('message').textContent = '';
  byId('message').className = '';
  byId('figures').replaceChildren(make('p', { class: 'tallies' }, ...tallyWords(entries)), ...noteList(kase));
  showFiles(null);
  showPictures(null);
}

function tallyWords(entries) {
  return STATUSES.map(status => [status, entries.filter(entry => entry.status === status).length])
    .filter(([, count]) => count)
    .map(([status, count]) => make('span', { class: 'tally' }, mark(status), `${number(count)} ${status}`));
}
