// The workers of a multi-process run: progress, speed, and which of them the others wait for.

import { h, panel, say, show } from './dom.js';
import { count, duration, over, several, short } from './words.js';

const HEADS = [
  ['worker', 'Its rank; worker 0 writes the run'],
  ['turns', 'Taken so far'],
  ['turns/s', 'Over the last seconds'],
  ['lag', 'Turns behind the most advanced worker'],
  ['waits', 'Part of the last seconds in exchanges: for others, and for sums on their way'],
  ['heard', 'Time since its last answer'],
  ['how it is', null],
];

export class Workers {
  #rows = [];

  constructor(run) {
    this.summary = h('p', { id: 'workers-summary', class: 'hint', role: 'status' }, '');
    this.body = h('tbody');
    this.element = panel('workers', 'Workers', this.summary,
      h('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Table of workers' },
        h('table', {},
          h('thead', {}, h('tr', {}, HEADS.map(([name, title]) => h('th', { scope: 'col', title }, name)))),
          this.body)));
    this.update(run);
  }

  update(run) {
    show(this.element, this.#rows.length > 0 || several(run));
    if (!several(run)) {
      return; // what was shown stays
    }
    while (this.#rows.length < run.workers.length) {
      this.#rows.push(this.#row(run.workers[this.#rows.length].rank));
    }
    const ended = over(run.status);
    run.workers.forEach((worker, i) => fill(this.#rows[i], worker, ended));
    const troubled = ended ? 0 : run.workers.filter((worker) => worker.trouble !== null).length;
    say(this.summary, ended ? 'As they were at last.'
      : troubled ? `${count(troubled)} of ${count(run.workers.length)} in trouble`
        : 'Lag counts turns, waits is the part of the time in exchanges.');
    this.summary.classList.toggle('warns', troubled > 0);
  }

  #row(rank) {
    const row = {};
    const cell = (name) => (row[name] = h('td', { class: name }));
    row.part = h('progress', { max: 1, value: 0, 'aria-hidden': 'true' });
    row.percent = h('span');
    row.element = h('tr', { 'data-rank': rank }, h('th', { scope: 'row' }, count(rank)),
      cell('taken'), cell('pace'), cell('lag'), h('td', { class: 'waits' }, row.percent, row.part), cell('heard'), cell('state'));
    this.body.append(row.element);
    return row;
  }
}

function fill(row, worker, ended) {
  const troubled = !ended && worker.trouble !== null;
  say(row.taken, count(worker.turns));
  say(row.pace, short(worker.turns_per_second));
  say(row.lag, count(worker.lag));
  say(row.percent, worker.waits === null ? '–' : `${Math.round(100 * worker.waits)} %`);
  row.part.value = worker.waits ?? 0;
  show(row.part, worker.waits !== null);
  say(row.heard, worker.heard === null ? '–' : duration(worker.heard));
  say(row.state, troubled ? worker.trouble : worker.is_done ? 'done' : worker.turns === null ? 'begins' : ended ? '' : 'trains');
  row.element.classList.toggle('troubled', troubled);
}
