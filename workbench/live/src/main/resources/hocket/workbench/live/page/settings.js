// Settings that can be changed during training, and the plan.

import { command, get } from './api.js';
import { h, panel, say, show, slug } from './dom.js';
import { breakable, plain, several } from './words.js';
import { formOf } from './plans.js';

/** A table of settings; Enter sends one. */
export class Settings {
  #run;
  #rows = new Map();
  #yaml = '';
  #turns;
  #able = true;

  constructor(run, tell) {
    this.#run = run.id;
    this.#turns = run.turns.map((turn) => turn.name);
    this.tell = tell;
    this.body = h('div', { class: 'settings-rows' });
    this.hint = h('span', { class: 'hint' }, 'Enter sends');
    this.element = panel('settings', 'Settings', this.hint, this.body);
    this.update(run);
  }

  /** Asks for the experiment, whose file has the order of the settings. */
  async order() {
    this.#yaml = (await get(this.#run, 'experiment')).yaml;
    this.#sort();
  }

  /** The position of a setting in the file, "d/rate" before "d/beta1": its turn and its place there. */
  #place(name) {
    const at = name.indexOf('/');
    const turn = name.slice(0, at);
    const turns = Math.max(0, this.#yaml.indexOf('\nturns:'));
    const start = Math.max(0, this.#yaml.indexOf(`\n  ${turn}:`, turns));
    const found = this.#yaml.indexOf(` ${name.slice(at + 1).split('/').at(-1)}:`, start);
    const number = this.#turns.indexOf(turn);
    return [number < 0 ? Infinity : number, found < 0 ? Infinity : found];
  }

  #sort() {
    const places = new Map([...this.#rows.keys()].map((name) => [name, this.#place(name)]));
    const before = (a, b) => (a === b ? 0 : a < b ? -1 : 1);
    const sorted = [...this.#rows].sort(([a], [b]) => before(places.get(a)[0], places.get(b)[0]) || before(places.get(a)[1], places.get(b)[1]));
    if (sorted.some(([name], i) => name !== [...this.#rows.keys()][i])) {
      this.#rows = new Map(sorted);
      this.body.append(...sorted.map(([, row]) => row.form)); // existing rows are moved
    }
  }

  update(run) {
    for (const [name, value] of Object.entries(run.settings ?? {})) {
      if (!this.#rows.has(name)) {
        this.#rows.set(name, this.#row(name));
        this.#sort();
      }
      const row = this.#rows.get(name);
      const dirty = row.input.value !== row.shown;
      row.now = plain(value);
      if (!dirty) {
        row.input.value = row.shown = row.now;
      }
    }
    show(this.element, this.#rows.size > 0 || run.live);
    const able = run.can_be_steered && !several(run);
    if (able !== this.#able) {
      this.#able = able;
      show(this.hint, able);
      this.#rows.forEach((row) => (row.input.disabled = !this.#able));
    }
  }

  #row(name) {
    const id = `setting-${slug(name)}`;
    const row = { shown: '', now: '' };
    row.input = h('input', {
      id,
      'data-setting': name,
      'aria-describedby': `${id}-message`,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      enterkeyhint: 'send',
      disabled: !this.#able,
      oninput: () => form.classList.toggle('changed', row.input.value !== row.shown),
      onkeydown: (event) => {
        if (event.key === 'Escape') {
          row.input.value = row.shown = row.now;
          this.#answer(form, row, '', false);
        }
      },
    });
    row.message = h('p', { id: `${id}-message`, class: 'field-message', role: 'status' });
    const form = h(
      'form',
      {
        class: 'setting',
        onsubmit: (event) => {
          event.preventDefault();
          this.#send(name, row, form);
        },
      },
      h('label', { for: id }, h('bdi', {}, breakable(name).flatMap((part, i) => (i ? [h('wbr'), part] : [part])))),
      row.input,
      h('button', { type: 'submit', 'aria-label': `Set ${name}` }, 'Set'),
      row.message,
    );
    row.form = form;
    this.body.append(form);
    return row;
  }

  async #send(name, row, form) {
    const text = row.input.value.trim();
    const number = Number(text);
    try {
      const answer = await command(this.#run, {
        command: 'set',
        setting: name,
        value: text !== '' && !Number.isNaN(number) ? number : text,
      });
      row.shown = row.input.value;
      this.#answer(form, row, answer.message, false);
      this.tell(answer.message);
    } catch (e) {
      this.#answer(form, row, e.message, true);
    }
  }

  #answer(form, row, message, wrong) {
    say(row.message, message);
    form.classList.toggle('wrong', wrong);
    form.classList.toggle('changed', row.input.value !== row.shown);
    if (wrong) {
      row.input.setAttribute('aria-invalid', 'true');
    } else {
      row.input.removeAttribute('aria-invalid');
    }
  }
}

/** The plan in its form in a file, which can be replaced between two turns. */
export class PlanField {
  #run;
  #plan = null;

  constructor(run, tell) {
    this.#run = run.id;
    this.tell = tell;
    this.text = h('textarea', {
      id: 'plan-text',
      rows: 6,
      spellcheck: 'false',
      autocapitalize: 'off',
      'aria-describedby': 'plan-hint plan-message',
    });
    this.hint = h('p', { id: 'plan-hint', class: 'hint' });
    this.message = h('p', { id: 'plan-message', class: 'field-message', role: 'status' });
    this.button = h('button', { type: 'button', id: 'plan-send', onclick: () => this.#send() }, 'Swap the plan');
    this.back = h('button', { type: 'button', id: 'plan-reset', onclick: () => { this.#fill(); this.#answer('', false); } }, 'Put back the present one');
    this.element = panel(
      'plan-swap',
      'Swap the plan',
      null,
      h('label', { for: 'plan-text' }, 'A round, as under ', h('code', {}, 'plan:'), ' in a file: a name, YAML or JSON'),
      this.text,
      this.hint,
      this.message,
      h('div', { class: 'buttons' }, this.button, this.back),
    );
    this.update(run);
  }

  update(run) {
    if (run.plan !== this.#plan) {
      const untouched = this.#plan === null || this.text.value === this.filled;
      this.#plan = run.plan;
      this.run = run;
      if (untouched) {
        this.#fill(); // what was answered stays
      }
    }
    show(this.element, !several(run) && (run.live || this.text.value !== this.filled));
    this.button.disabled = this.text.readOnly = !run.can_be_steered;
  }

  #fill() {
    const form = formOf(this.run.plan ?? '', this.run.turns.map((turn) => turn.name));
    say(this.hint, form === null
      ? `The present plan, ${this.run.plan}, has no form in a file; below are its turns in sequence.`
      : '');
    this.filled = written(form ?? { sequence: this.run.turns.map((turn) => turn.name) });
    this.text.value = this.filled;
  }

  async #send() {
    try {
      const answer = await command(this.#run, { command: 'plan', plan: this.text.value });
      this.filled = this.text.value;
      this.#answer(answer.message, false);
      this.tell(answer.message);
    } catch (e) {
      this.#answer(e.message, true);
    }
  }

  #answer(message, wrong) {
    say(this.message, message);
    this.element.classList.toggle('wrong', wrong);
    if (wrong) {
      this.text.setAttribute('aria-invalid', 'true');
    } else {
      this.text.removeAttribute('aria-invalid');
    }
  }
}

/** JSON as people write it: in one line, if that is short; a turn's name as it is. */
function written(form) {
  if (typeof form === 'string') {
    return form;
  }
  const line = JSON.stringify(form, null, 1).replace(/\n\s*/g, ' ').replace(/([[{]) | (?=[\]}])/g, '$1');
  return line.length <= 100 ? line : JSON.stringify(form, null, 2);
}
