// All runs there are, from which some are chosen to be compared.

import { get, start } from './api.js';
import { h, say, show } from './dom.js';
import { tools } from './head.js';
import { StartForm } from './start.js';
import { duration, where } from './words.js';

const PAUSE = 2000;

export class RunsView {
  #rows = new Map();
  #timer = 0;
  #gone = false;
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
    this.panel = h('section', { class: 'panel', 'aria-label': 'Runs' },
      h('div', { class: 'panel-head' }, h('p', { class: 'hint' }, 'Open one, or choose two and more to compare them.'), this.button),
      h('div', { class: 'scrolls' },
        h('table', { id: 'runs', class: 'runs' },
          h('thead', {}, h('tr', {}, ['compare', 'run', 'status', 'done', 'at', 'time left', 'what']
            .map((name) => h('th', { scope: 'col' }, name)))),
          this.body)));
    this.element = h('div', { class: 'run' },
      h('header', { class: 'head' }, h('div', { class: 'title' }, h('h1', {}, 'Runs'), tools(null))),
      h('main', { id: 'main', tabindex: -1 }, this.form?.element, this.none, this.panel, this.note));
    this.#draw(runs);
    this.#later();
  }

  destroy() {
    this.#gone = true;
    clearTimeout(this.#timer);
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
  }

  #row(run) {
    const row = {
      chosen: h('input', { type: 'checkbox', 'aria-label': `Compare ${run.id}`, 'data-run': run.id, onchange: () => this.#chosen() }),
      status: h('strong', { class: 'status' }),
      done: h('progress', { max: 1, value: 0, 'aria-label': `Done of ${run.id}` }),
      percent: h('span'),
      at: h('td', { 'data-title': 'at' }),
      left: h('td', { 'data-title': 'time left' }),
      name: h('bdi'),
      what: h('span'),
      on: h('button', { type: 'button', 'data-go-on': run.id, 'aria-label': `Go on with ${run.id}`, onclick: () => this.#goOn(run.id) }, 'Go on'),
    };
    row.element = h('tr', {},
      h('td', { class: 'choose' }, row.chosen),
      h('th', { scope: 'row' }, h('a', { href: `#/run/${encodeURIComponent(run.id)}` }, h('bdi', {}, run.id))),
      h('td', {}, row.status, ' ', row.on),
      h('td', { class: 'done' }, row.done, row.percent),
      row.at,
      row.left,
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
