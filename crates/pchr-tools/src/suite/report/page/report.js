'use strict';

// Content of the report in reading order: cases with failures first.

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

