// Controls of commands without special ones: a button each, and a form if there are arguments.

import { command, commands } from './api.js';
import { dialog, h, say, show } from './dom.js';
import { several } from './words.js';

/** Commands with special controls. */
const DRAWN = ['pause', 'resume', 'step', 'save', 'stop', 'set', 'plan', 'fork'];

export class Commands {
  #run;
  #able = false;
  #buttons = [];

  /** @param tell shows what the run answered: `tell(message, wrong)` */
  constructor(tell) {
    this.tell = tell;
    this.element = h('span', { class: 'more-controls', hidden: true });
    this.dialogs = h('div', {});
  }

  /** Asks the server which there are. */
  async load() {
    for (const schema of await commands()) {
      if (!DRAWN.includes(schema.title)) {
        this.#add(schema);
      }
    }
    show(this.element, this.#buttons.length > 0);
    this.update(this.#run, this.#able);
  }

  /** @param able whether the run takes commands now */
  update(run, able) {
    this.#run = run;
    this.#able = able;
    for (const { button, ofOneProcess } of this.#buttons) {
      button.disabled = !able || (ofOneProcess && several(run));
    }
  }

  #add(schema) {
    const name = schema.title;
    const fields = Object.entries(schema.properties)
      .filter(([key]) => key !== 'id' && key !== 'command')
      .map(([key, property]) => field(name, key, property, schema.required.includes(key)));
    const label = name[0].toUpperCase() + name.slice(1) + (fields.length ? '…' : '');
    const form = fields.length ? this.#form(name, schema.description, fields) : null;
    const act = () => (form ? form.showModal() : this.#send(name, {}));
    const button = h('button', { type: 'button', id: `command-${name}`, title: schema.description, onclick: act }, label);
    this.#buttons.push({ button, ofOneProcess: schema['x-of-one-process'] });
    this.element.append(button);
  }

  #form(name, description, fields) {
    const message = h('p', { class: 'field-message', role: 'status' });
    const send = async (event) => {
      event.preventDefault();
      const given = Object.fromEntries(fields.map(({ key, value }) => [key, value()]).filter(([, value]) => value !== null));
      const refused = await this.#send(name, given);
      say(message, refused);
      if (!refused) {
        shown.close();
      }
    };
    const shown = dialog(`${name}-dialog`, name,
      h('form', { onsubmit: send },
        h('p', { class: 'hint' }, description),
        fields.map((each) => each.elements),
        message,
        h('div', { class: 'buttons' },
          h('button', { type: 'submit', class: 'main' }, 'Send'),
          h('button', { type: 'button', onclick: () => shown.close() }, 'Close'))));
    this.dialogs.append(shown);
    return shown;
  }

  /** Gives why it is refused; an empty text where it is not. */
  async #send(name, given) {
    try {
      this.tell((await command(this.#run.id, { command: name, ...given })).message);
      return '';
    } catch (e) {
      this.tell(e.message, true);
      return e.message;
    }
  }
}

/** An argument: its key, a function that returns its value, and its elements. */
function field(name, key, property, required) {
  const [schema] = property.anyOf;
  const id = `${name}-${key}`;
  const label = h('label', { for: id }, `${key}: ${property.description}`);
  if (schema.type === 'boolean') {
    const box = h('input', { id, type: 'checkbox' });
    return { key, value: () => box.checked, elements: [label, box] };
  }
  const input = schema.enum
    ? h('select', { id }, schema.enum.map((word) => h('option', {}, word)))
    : h('input', { id, required, autocomplete: 'off', spellcheck: 'false' });
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const value = () => (input.value === '' && !required ? null : isNumber ? Number(input.value) : input.value);
  return { key, value, elements: [label, input] };
}
