'use strict';

// Content of the report: its cases, those with failures first.

const STATUSES = ['failed', 'missing', 'error', 'unused', 'updated', 'removed', 'skipped', 'passed'];
const MARKS = { failed: '✕', missing: '○', error: '!', unused: '+', updated: '↻', removed: '−', skipped: '–', passed: '✓' };
const TITLES = {
  failed: 'Failed', missing: 'Missing', error: 'Error', unused: 'Unused', updated: 'Updated', removed: 'Removed',
  skipped: 'Skipped', passed: 'Passed',
};

const byId = id => document.getElementById(id);
const number = value => value.toLocaleString('en');
const many = (count, one, more = one + 's') => `${number(count)} ${count === 1 ? one : more}`;

/** The text with characters escaped that are not seen, and may reorder what is. */
const visible = text => text.replace(/[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu, c => `\\u{${c.codePointAt(0).toString(16)}}`);

/** An element. Text comes in as text nodes alone, whatever it says. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null) element.setAttribute(name, name === 'title' ? visible(value) : value);
  }
  element.append(...children.map(child => (typeof child === 'string' ? visible(child) : child)));
  return element;
}

/** The mark of a status. What it means has to be said beside it. */
const mark = status => make('span', { class: `mark ${status}`, 'aria-hidden': 'true' }, MARKS[status]);

const report = JSON.parse(byId('report').textContent);

/** The cases with their entries: what a row of the list and the right side show. */
const cases = (() => {
  const entry = (kase, frame) => {
    const words = [kase.name, kase.file, frame.animation ?? '', frame.name];
    const path = frame.name === '' ? kase.name : `${kase.name}/${frame.name}`;
    return {
      kase, frame, path, status: frame.status, search: words.join('\n').toLowerCase(), pictures: null, beside: false,
    };
  };
  const failed = kase => ({
    name: '', animation: null, frame: null, status: 'error', message: kase.error,
    command: null, difference: null, pictures: null,
  });
  const read = kase => {
    const frames = kase.error === null ? kase.frames : [failed(kase), ...kase.frames];
    const entries = frames.map(frame => entry(kase, frame));
    return { kase, entries: STATUSES.flatMap(status => entries.filter(entry => entry.status === status)) };
  };
  const worst = ({ entries }) => (entries.length ? STATUSES.indexOf(entries[0].status) : STATUSES.length);
  const all = report.cases.map(read);
  return all.map(each => [worst(each), each]).sort(([a], [b]) => a - b).map(([, each]) => each);
})();

const entries = cases.flatMap(({ entries }) => entries);

// Pictures lie behind the page in the order of the list, those of a frame all or not at all: then they lie beside it.
{
  const { held } = byId('report').dataset;
  let pictures = 0;
  const next = path => (path === null ? null : pictures++);
  entries.filter(({ frame }) => frame.pictures).forEach((entry, index) => {
    const { expected, actual, difference } = entry.frame.pictures;
    if (held[index] === '1') entry.pictures = { expected: next(expected), actual: next(actual), difference: next(difference) };
    else entry.beside = true;
  });
}

const byPath = new Map(entries.toReversed().map(entry => [entry.path, entry]));

/** How many entries there are of each status. */
const counts = Object.fromEntries(STATUSES.map(status => [status, 0]));
for (const { status } of entries) counts[status]++;

/** What drew pictures, in words. */
function drawnBy(by) {
  if (by.renderer === 'cpu') return 'the CPU renderer';
  const known = [by.adapter, by.backend, by.driver].filter(word => word);
  return known.join(' · ') + (by.software ? ' (in software)' : '');
}

/** False if nothing could be run; of merged parts, some may not. */
const hasRun = !report.errors.length || report.cases.length > 0;

/** The whole run in a line. */
function verdict() {
  if (!hasRun) return ['bad', 'could not be run'];
  const all = entries.length - counts.unused - counts.removed;
  const parts = [];
  if (report.errors.length) parts.push('not all parts could be run');
  if (counts.failed) parts.push(`${number(counts.failed)} of ${many(all, 'frame')} ${counts.failed === 1 ? 'differs' : 'differ'}`);
  if (counts.missing) parts.push(`${number(counts.missing)} without a baseline`);
  if (counts.error) parts.push(many(counts.error, 'error'));
  if (counts.unused) parts.push(many(counts.unused, 'unused baseline'));
  if (parts.length) return ['bad', parts.join(', ')];
  const changed = [[counts.updated, 'written'], [counts.removed, 'removed']].filter(([count]) => count);
  if (changed.length) return ['changed', changed.map(([count, done]) => `${many(count, 'baseline')} ${done}`).join(', ')];
  if (counts.passed === 0) return ['changed', all ? `all ${many(all, 'frame')} skipped` : 'no frames'];
  return ['good', counts.skipped ? `passed, ${number(counts.skipped)} skipped` : `all ${many(all, 'frame')} passed`];
}

/** Calls back with the address of a picture, once it is there: the last ones lie far behind the page's beginning. */
function picture(index, then) {
  const text = byId(`picture-${index}`);
  if (document.readyState === 'loading' && !text?.nextElementSibling) {
    const again = () => picture(index, then);
    document.addEventListener('DOMContentLoaded', again, { once: true });
  } else if (text) {
    then(`data:image/png;base64,${text.textContent}`);
  }
}
