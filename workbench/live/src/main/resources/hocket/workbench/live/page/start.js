// The form to start a run: experiment, name, seed and settings.

import { experiments, start } from './api.js';
import { folding, h, say } from './dom.js';

export class StartForm {
  /**
   * @param open whether it is open at first
   * @param started is called when there is a new run
   */
  constructor(open, started) {
    this.started = started;
    this.experiment = h('select', { id: 'start-experiment', required: true, onchange: () => this.#describe() });
    this.summary = h('p', { id: 'start-summary', class: 'hint' });
    this.name = h('input', { id: 'start-name', autocomplete: 'off', spellcheck: 'false', placeholder: 'chosen automatically' });
    this.seed = h('input', { id: 'start-seed', autocomplete: 'off', inputmode: 'numeric', placeholder: 'as in the file' });
    this.settings = h('input', { id: 'start-settings', autocomplete: 'off', spellcheck: 'false', placeholder: 'epochs=12 d.rate=1e-4' });
    this.send = h('button', { type: 'submit', id: 'start-send', class: 'main' }, 'Start');
    this.message = h('p', { id: 'start-message', class: 'field-message', role: 'status' });
    const field = (input, title) => h('div', { class: 'field' }, h('label', { for: input.id }, title), input);
    this.element = folding('start', 'Start a run', open,
      h('form', {
        class: 'start',
        onsubmit: (event) => {
          event.preventDefault();
          this.#start();
        },
      },
      field(this.experiment, 'Experiment'),
      field(this.name, 'Name (optional)'),
      field(this.seed, 'Seed (optional)'),
      field(this.settings, 'Settings (optional)'),
      this.send),
      this.summary,
      this.message);
    this.#list();
  }

  async #list() {
    try {
      this.known = await experiments();
      const options = (of) => of.map(({ name }) => h('option', { value: name }, name));
      const files = this.known.filter((each) => each.file);
      const builtIn = this.known.filter((each) => !each.file);
      this.experiment.replaceChildren(
        ...(files.length ? [h('optgroup', { label: 'files here' }, options(files))] : []),
        h('optgroup', { label: 'built in' }, options(builtIn)));
      this.#describe();
    } catch (e) {
      this.#say(e.message, true);
    }
  }

  #describe() {
    say(this.summary, this.known.find(({ name }) => name === this.experiment.value)?.summary ?? '');
  }

  #say(message, wrong = false) {
    this.message.classList.toggle('wrong', wrong);
    say(this.message, message);
  }

  async #start() {
    if (this.send.disabled) {
      return;
    }
    const experiment = this.experiment.value;
    try {
      const body = {
        experiment,
        name: this.name.value.trim() || null,
        seed: this.seed.value.trim() === '' ? null : whole(this.seed.value.trim()),
        settings: settings(this.settings.value),
      };
      this.send.disabled = true;
      this.#say(`${experiment} is starting …`);
      const { run, message } = await start(null, body);
      this.message.classList.remove('wrong');
      this.message.replaceChildren(h('a', { href: `#/run/${encodeURIComponent(run)}` }, h('bdi', {}, run)), ` ${message}.`);
      this.started();
    } catch (e) {
      this.#say(e.message, true);
    } finally {
      this.send.disabled = false;
    }
  }
}

function whole(text) {
  if (!/^-?\d{1,15}$/.test(text)) {
    throw new Error(`Seed: must be an integer, was ${text}`);
  }
  return Number(text);
}

/** "epochs=12 d.rate=1e-4" as an object. */
function settings(text) {
  return Object.fromEntries(text.split(/[\s,]+/).filter(Boolean).map((each) => {
    const [, key, value] = /^([^=]+)=(.+)$/.exec(each) ?? [];
    const known = { true: true, false: false }[value] ?? Number(value);
    if (key === undefined || Number.isNaN(known)) {
      throw new Error(`Settings: each must be a name, = and a number, true or false, such as epochs=12; was ${each}`);
    }
    return [key, known];
  }));
}
