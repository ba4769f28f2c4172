// The list of all runs, with a selection for comparison.

import { get, start } from './api.js';
import { h, say, show } from './dom.js';
import { tools } from './head.js';
import { about, chips } from './notes.js';
import { StartForm } from './start.js';
import { duration, short, where } from './words.js';

const PAUSE = 2000;

/** Milliseconds in which answers about runs are collected. */
const TOGETHER = 50;

/** Columns by which the list is sorted, each as a value of a row: texts, numbers, or null for the end of the list. */
const COLUMNS = [
  ['run', (row) => row.run.id],
  ['status', (row) => row.run.status],
  ['done', (row) => row.run.done ?? null],
  ['at', (row) => row.run.at?.step ?? null],
  ['time left', (row) => row.run.seconds_left ?? null],
  ['score', (row, name) => number(row.about?.scores[name])],
  ['tags', (row) => row.about?.tags.join() || null],
  ['what', (row) => row.run.name],
];

function number(value) {
  const found = Number(value ?? NaN);
  return Number.isNaN(found) ? null : found;
}

function compared(a, b) {
  return typeof a === 'string' ? a.localeCompare(b, undefined, { numeric: true }) : a - b;
}

export class RunsView {
  #rows = new Map();
  #timer = 0;
  #collecting = 0;
  #gone = false;
  #by = 'run';
  #down = false;
  refused = '';

  /** @param serving what serves them: in a folder of `runs` others can be started */
  constructor(runs, serving) {
    document.title = 'Runs · Hocket';
    this.body = h('tbody');
    this.note = h('p', { class: 'hint', role: 'status', id: 'runs-note' }, '');
    this.button = h('a', { id: 'compare', class: 'button', role: 'link', 'aria-disabled': 'true' }, 'Compare the chosen');
    this.form = serving === 'runs' ? new StartForm(runs.length === 0, () => this.#look()) : null;
    this.none = h('p', { id: 'no-runs', hidden: true }, 'There are no runs here yet. Start one above, or in a terminal: ',
      h('code', {}, 'hocket run digits-gan --serve 0'), '.');
    this.filter = h('input', { id: 'filter', 'aria-label': 'Filter', autocomplete: 'off', spellcheck: 'false', placeholder: 'Filter: name, experiment, status, tag, note', oninput: () => this.#arrange() });
    this.score = h('select', { id: 'score', 'aria-label': 'Score shown', hidden: true, onchange: () => this.#scored() });
    this.headings = COLUMNS.map(([name]) => {
      const button = h('button', { type: 'button', class: 'sort', 'data-sort': name, onclick: () => this.#sort(name) }, name);
      return h('th', { scope: 'col' }, button, name === 'score' ? this.score : null);
    });
    this.empty = h('p', { class: 'empty', id: 'none-fits', hidden: true }, 'No run matches the filter.');
    this.panel = h('section', { class: 'panel', 'aria-label': 'Runs' },
      h('div', { class: 'panel-head' }, h('p', { class: 'hint' }, 'Open a run, or select two or more to compare them.'), this.filter, this.button),
      h('div', { class: 'scrolls' },
        h('table', { id: 'runs', class: 'runs' },
          h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'compare'), this.headings)),
          this.body)),
      this.empty);
    this.element = h('div', { class: 'run' },
      h('header', { class: 'head' }, h('div', { class: 'title' }, h('h1', {}, 'Runs'), tools(null))),
      h('main', { id: 'main', tabindex: -1 }, this.form?.element, this.none, this.panel, this.note));
    this.#draw(runs);
    this.#later();
  }

  destroy() {
    this.#gone = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#collecting);
  }

  #later() {
    this.#timer = setTimeout(async () => {
      await this.#look();
      if (!this.#gone) {
        this.#later();
      }
    }, PAUSE);
  }

  async #look() {
    try {
      this.#draw((await get(null)).runs);
      say(this.note, this.refused);
    } catch (e) {
      say(this.note, `${e.message}, trying again`);
    }
  }

  #draw(runs) {
    for (const [id, row] of this.#rows) {
      if (!runs.some((run) => run.id === id)) {
        row.element.remove();
        this.#rows.delete(id);
        this.#chosen();
      }
    }
    show(this.none, runs.length === 0);
    show(this.panel, runs.length > 0);
    for (const run of runs) {
      if (!this.#rows.has(run.id)) {
        this.#rows.set(run.id, this.#row(run));
      }
      const row = this.#rows.get(run.id);
      const changed = row.run?.status !== run.status;
      row.run = run;
      if (changed) {
        this.#about(row); // it may have been scored
      }
      say(row.status, run.status);
      row.status.dataset.status = run.status;
      row.done.value = run.done ?? 0;
      say(row.percent, run.done === null || run.done === undefined ? '' : `${Math.round(100 * run.done)} %`);
      say(row.at, where(run.at));
      say(row.name, run.name);
      say(row.what, run.failure ? `: ${run.failure}` : run.summary ? `: ${run.summary}` : '');
      show(row.on, Boolean(run.can_go_on) && !row.busy);
      say(row.left, run.seconds_left === null || run.seconds_left === undefined ? '' : duration(run.seconds_left));
    }
    this.#arrange();
  }

  async #about(row) {
    row.about = await about(row.run.id);
    row.tags.replaceChildren(...chips(row.about.tags));
    row.tags.title = row.about.note;
    this.#collecting ||= setTimeout(() => this.#collect(), TOGETHER);
  }

  /** Shows the scores that have arrived: of many runs at once, since each change sorts all rows. */
  #collect() {
    this.#collecting = 0;
    const names = [...new Set([...this.#rows.values()].flatMap((each) => Object.keys(each.about?.scores ?? {})))];
    if (names.length && names.join() !== this.known) {
      this.known = names.join();
      const chosen = this.score.value;
      this.score.replaceChildren(...names.map((name) => h('option', { value: name }, name)));
      this.score.value = names.includes(chosen) ? chosen : names[0];
      show(this.score, true);
    }
    this.#scored();
  }

  #scored() {
    for (const row of this.#rows.values()) {
      const value = row.about?.scores[this.score.value];
      say(row.score, value === undefined ? '' : short(value));
      row.score.title = Object.entries(row.about?.scores ?? {}).map(([name, each]) => `${name} ${short(each)}`).join(', ');
    }
    this.#arrange();
  }

  #sort(name) {
    this.#down = this.#by === name && !this.#down;
    this.#by = name;
    this.#arrange();
  }

  /** Shows what fits the filter, in the order that was asked for. */
  #arrange() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, run, about: known } of this.#rows.values()) {
      const text = [run.id, run.name, run.status, run.summary, `seed ${run.seed}`, ...(known?.tags ?? []), known?.note].join(' ').toLowerCase();
      const fits = words.every((word) => text.includes(word));
      shown += fits ? 1 : 0;
      show(element, fits);
    }
    show(this.empty, this.#rows.size > 0 && shown === 0);
    const [, of] = COLUMNS.find(([name]) => name === this.#by);
    const values = new Map([...this.#rows.values()].map((row) => [row, of(row, this.score.value)]));
    const sorted = [...values.keys()].sort((a, b) => {
      const [one, other] = [values.get(a), values.get(b)];
      if (one === null || other === null) {
        return (one === null) - (other === null);
      }
      return this.#down ? compared(other, one) : compared(one, other);
    });
    if (sorted.some((row, i) => this.body.children[i] !== row.element)) {
      this.body.append(...sorted.map((row) => row.element));
    }
    this.headings.forEach((heading, i) => heading.setAttribute('aria-sort', COLUMNS[i][0] !== this.#by ? 'none' : this.#down ? 'descending' : 'ascending'));
  }

  #row(run) {
    const row = {
      chosen: h('input', { type: 'checkbox', 'aria-label': `Compare ${run.id}`, 'data-run': run.id, onchange: () => this.#chosen() }),
      status: h('strong', { class: 'status' }),
      done: h('progress', { max: 1, value: 0, 'aria-label': `Done of ${run.id}` }),
      percent: h('span'),
      at: h('td', { 'data-title': 'at' }),
      left: h('td', { 'data-title': 'time left' }),
      score: h('td', { class: 'score', 'data-title': 'score' }),
      tags: h('td', { 'data-title': 'tags' }),
      name: h('bdi'),
      what: h('span'),
      on: h('button', { type: 'button', 'data-go-on': run.id, 'aria-label': `Continue ${run.id}`, onclick: () => this.#goOn(run.id) }, 'Continue'),
    };
    row.element = h('tr', {},
      h('td', { class: 'choose' }, row.chosen),
      h('th', { scope: 'row' }, h('a', { href: `#/run/${encodeURIComponent(run.id)}` }, h('bdi', {}, run.id))),
      h('td', {}, row.status, ' ', row.on),
      h('td', { class: 'done' }, row.done, row.percent),
      row.at,
      row.left,
      row.score,
      row.tags,
      h('td', { class: 'what' }, row.name, row.what));
    this.body.append(row.element);
    return row;
  }

  async #goOn(id) {
    const row = this.#rows.get(id);
    this.refused = '';
    row.busy = true;
    show(row.on, false);
    try {
      await start(id);
    } catch (e) {
      this.refused = `${id}: ${e.message}`;
    } finally {
      row.busy = false;
    }
    await this.#look();
  }

  #chosen() {
    const ids = [...this.#rows].filter(([, row]) => row.chosen.checked).map(([id]) => id);
    if (ids.length > 1) {
      this.button.href = `#/compare/${ids.map(encodeURIComponent).join('/')}`;
      this.button.removeAttribute('aria-disabled');
    } else {
      this.button.removeAttribute('href');
      this.button.setAttribute('aria-disabled', 'true');
    }
  }
}
