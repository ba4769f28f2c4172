// The header, which is always visible: the run, its status and position, and the last command.

import { h, say, show } from './dom.js';
import { count, duration, over, rounds, short } from './words.js';

/** Buttons that every view has. */
export function tools(openHelp) {
  const theme = h('button', {
    type: 'button',
    id: 'theme',
    class: 'quiet',
    onclick: () => name(window.hocketTheme.next()),
  }, 'Theme', h('span', { class: 'detail' }));
  const name = (chosen) => {
    say(theme.querySelector('.detail'), `: ${chosen}`);
    theme.setAttribute('aria-label', `Theme: ${chosen}`);
  };
  name(window.hocketTheme.chosen());
  return h('div', { class: 'tools' }, theme,
    openHelp && h('button', { type: 'button', id: 'help', class: 'quiet', 'aria-keyshortcuts': '?', onclick: openHelp }, 'Keys'));
}

export class Head {
  #message = 0;

  constructor(run, controls, several, openHelp) {
    this.status = h('strong', { id: 'status', role: 'status' });
    this.connection = h('span', { id: 'connection', role: 'status' }, 'connecting');
    const field = (id, title) => {
      const value = h('dd', { id }, '–');
      this[id] = value;
      return h('div', {}, h('dt', {}, title), value);
    };
    this.done = h('progress', { id: 'done', max: 1, value: 0, 'aria-label': 'Part that is done' });
    this.position = h('dl', { id: 'position', class: 'position' },
      field('round', 'round'), field('epoch', 'epoch'), field('step', 'step'), field('percent', 'done'),
      field('speed', 'rounds/s'), field('left', 'time left'));
    this.message = h('p', { id: 'message', class: 'message', role: 'status' }, '');
    this.end = h('p', { id: 'end', class: 'end', role: 'status', hidden: true });
    this.element = h('header', { class: 'head' },
      h('div', { class: 'title' },
        several && h('a', { href: '#/', id: 'all-runs', class: 'back' }, 'Runs'),
        h('h1', { id: 'run-name' }, h('bdi', {}, run.name)),
        run.id === run.name ? null : h('bdi', { id: 'run-id', class: 'hint' }, run.id),
        this.status,
        this.connection,
        tools(openHelp)),
      h('div', { class: 'where' }, this.position, this.done),
      controls.element,
      h('div', { class: 'said' }, this.message, controls.why),
      this.end);
    this.update(run);
  }

  update(run) {
    say(this.status, run.status);
    this.status.dataset.status = run.status;
    document.title = `${run.status}: ${run.name} · Hocket`;
    const known = run.at && rounds(run.at);
    say(this.round, known ? count(run.at.round) : '–');
    say(this.epoch, known && run.at.epoch !== null ? short(run.at.epoch) : '–');
    say(this.step, count(run.at?.step));
    const done = run.done ?? 0;
    this.done.value = done;
    say(this.percent, run.done === null || run.done === undefined ? '–' : `${(100 * done).toFixed(done < 0.1 ? 1 : 0)} %`);
    say(this.speed, run.rounds_per_second ? short(run.rounds_per_second) : '–');
    say(this.left, over(run.status) ? '–' : duration(run.seconds_left));
  }

  /** Shows the answer of a run; a refusal stays until the next answer. */
  tell(message, wrong = false) {
    clearTimeout(this.#message);
    this.message.classList.toggle('wrong', wrong);
    say(this.message, message);
    if (!wrong) {
      this.#message = setTimeout(() => say(this.message, ''), 8000);
    }
  }

  connected(state, seconds) {
    if (state === 'live' && this.connection.dataset.state === 'connecting') {
      this.tell(''); // missing data is requested again
    }
    const texts = {
      live: 'live',
      connecting: 'connecting',
      lost: `connection lost, trying again${seconds >= 1 ? ` in ${Math.round(seconds)} s` : ''}`,
      over: 'not live',
    };
    say(this.connection, texts[state]);
    this.connection.dataset.state = state;
  }

  ended(run, message) {
    const words = {
      starting: 'The run is being started',
      training: 'The run is training in a process that does not answer here',
      ended: 'The run has ended',
      stopping: 'The run has stopped and is being saved',
      stopped: 'The run was stopped',
      failed: 'The run has failed',
    };
    say(this.end, `${words[run.status] ?? `The run is ${run.status}, and its process does not answer`}${message ? `: ${message}` : ''}. `
      + 'All that was shown stays on this page.');
    this.end.dataset.status = run.status;
    show(this.end, true);
  }
}
