// Commands of the run, its log, and its checkpoints.

import { get } from './api.js';
import { folding, h } from './dom.js';
import { bytes, count, plain, time } from './words.js';

const LINES = 500;

export class Journal {
  #run;
  #lines = [];
  /** The lines of ticks that arrive while all of the log is being read; null at other times. */
  #waiting = null;
  #numbers = new Set();
  #timer = 0;

  /** @param fork opens the dialog at a checkpoint; null if forks are not available */
  constructor(run, fork) {
    this.#run = run.id;
    this.fork = fork;
    this.log = h('pre', { id: 'log', class: 'log', tabindex: 0, role: 'log', 'aria-live': 'off', 'aria-label': 'Log' });
    this.commands = h('tbody');
    this.noCommands = h('p', { class: 'empty' }, 'No commands yet.');
    this.table = h('table', { id: 'journal', hidden: true },
      h('thead', {}, h('tr', {}, ['No.', 'what', 'at step', 'round', 'by', 'when'].map((name) => h('th', { scope: 'col' }, name)))),
      this.commands);
    this.checkpoints = h('ul', { id: 'checkpoints', class: 'checkpoints' });
    this.element = h('div', { class: 'records' },
      folding('log-panel', 'Log', true, this.log),
      folding('journal-panel', 'Journal of commands', false, this.noCommands, h('div', { class: 'scrolls' }, this.table)),
      folding('checkpoints-panel', 'Checkpoints', false, this.checkpoints));
  }

  destroy() {
    clearTimeout(this.#timer);
  }

  /** Asks for all of it; for what was missed, too. */
  async refresh() {
    this.#waiting = [];
    try {
      const [log, journal] = await Promise.all([get(this.#run, 'log', { lines: LINES }), get(this.#run, 'journal')]);
      const known = new Set(log.lines); // lines have their times
      this.#lines = [];
      this.#show([...log.lines, ...this.#waiting.filter((line) => !known.has(line))]);
      this.#note(journal.commands);
    } finally {
      this.#waiting = null;
    }
    await this.saved();
  }

  /** Adds the log lines and commands of a tick. */
  take(tick) {
    if (tick.log?.length) {
      this.#waiting?.push(...tick.log);
      this.#show(tick.log);
    }
    if (tick.journal?.length) {
      this.#note(tick.journal);
    }
    if (tick.checkpoint !== null && tick.checkpoint !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.saved().catch(() => {}), 300);
    }
  }

  async saved() {
    const { checkpoints } = await get(this.#run, 'checkpoints');
    this.checkpoints.replaceChildren(...(checkpoints.length
      ? checkpoints.slice().reverse().map((each) => h('li', {},
        h('span', {}, `step ${count(each.step)}${each.best ? ', the best' : ''}`),
        h('span', { class: 'hint' }, `${time(each.time)}, ${bytes(each.bytes)}`),
        this.fork && h('button', {
          type: 'button',
          'aria-label': `Fork from step ${count(each.step)}`,
          onclick: () => this.fork(each.step),
        }, 'Fork…')))
      : [h('li', { class: 'empty' }, 'None yet.')]));
  }

  #show(lines) {
    const atEnd = this.log.scrollTop + this.log.clientHeight >= this.log.scrollHeight - 8;
    this.#lines = [...this.#lines, ...lines].slice(-LINES);
    this.log.textContent = this.#lines.join('\n');
    if (atEnd) {
      this.log.scrollTop = this.log.scrollHeight;
    }
  }

  #note(commands) {
    for (const each of commands) {
      if (!this.#numbers.has(each.number)) {
        this.#numbers.add(each.number);
        this.commands.prepend(h('tr', {},
          h('td', {}, each.number),
          h('td', {}, said(each)),
          h('td', {}, count(each.step)),
          h('td', {}, count(each.round)),
          h('td', {}, each.by ?? ''),
          h('td', {}, time(each.time))));
      }
    }
    this.table.hidden = this.#numbers.size === 0;
    this.noCommands.hidden = !this.table.hidden;
  }
}

/** Keys of an entry besides the command and its arguments. */
const OF_ALL = ['number', 'command', 'step', 'round', 'by', 'time'];

/** A command in words. */
function said(each) {
  switch (each.command) {
    case 'set':
      return `set ${each.setting} to ${plain(each.value)}`;
    case 'step':
      return `step a ${each.unit ?? 'turn'}`;
    case 'fork':
      return `fork${each.into ? ` to ${each.into}` : ''}`;
    default: {
      const given = Object.entries(each).filter(([key, value]) => !OF_ALL.includes(key) && value !== null);
      return [each.command, ...given.map(([, value]) => value)].join(' ');
    }
  }
}
