// Keyboard shortcuts, which do nothing while a text is edited; they can be switched off.

import { dialog, h } from './dom.js';

const KEY = 'hocket-keys';
const LIST = [
  ['Space', 'pause, or resume'],
  ['T', 'step a turn, while it is paused'],
  ['R', 'step a round, while it is paused'],
  ['S', 'save a checkpoint'],
  ['?', 'this list'],
];

export class Keys {
  /** @param acts what each key does: `{' ': …, t: …, r: …, s: …}` */
  constructor(acts) {
    this.on = h('input', { type: 'checkbox', id: 'keys-on', checked: stored() !== 'off', onchange: () => store(this.on.checked) });
    this.dialog = dialog('keys-dialog', 'Keys',
      h('dl', { class: 'keys' }, LIST.map(([key, does]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, does)))),
      h('p', {}, 'In a chart: drag to zoom, double-click for all of it. The list next to “Show all” does it without a mouse.'),
      h('label', { class: 'check' }, this.on, 'Keyboard shortcuts on'),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', id: 'keys-close', autofocus: true, onclick: () => this.dialog.close() }, 'Close')));
    this.open = () => this.dialog.showModal();
    this.listener = (event) => this.#press(event, acts);
    document.addEventListener('keydown', this.listener);
  }

  destroy() {
    document.removeEventListener('keydown', this.listener);
  }

  #press(event, acts) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) {
      return;
    }
    const focus = event.target;
    if (focus.closest?.('input, textarea, select, dialog[open], [contenteditable]') || document.querySelector('dialog[open]')) {
      return;
    }
    if (event.key === ' ' && focus.closest?.('button, summary, a, [role=button]')) {
      return; // it presses that
    }
    if (event.key === '?') {
      event.preventDefault();
      this.open();
      return;
    }
    const act = acts[event.key.toLowerCase()];
    if (act && this.on.checked) {
      event.preventDefault();
      act();
    }
  }
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(on) {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // without storage it lasts as long as the page
  }
}
