// The result of a run and people's notes: final scores, tags, a note.

import { get, note } from './api.js';
import { h, panel, say, show } from './dom.js';
import { short } from './words.js';

const NOTHING = { scores: {}, tags: [], note: '' };

/** Scores, tags and note of a run; none if an older server has no such answer. */
export function about(run) {
  return get(run, 'about').catch(() => NOTHING);
}

/** Scores in words: "high_quality 0.91, modes 8". */
export function scoresOf({ scores }) {
  return Object.entries(scores).map(([name, value]) => `${name} ${short(value)}`).join(', ');
}

/** Tags as chips. */
export function chips(tags) {
  return tags.map((tag) => h('span', { class: 'tag' }, h('bdi', {}, tag)));
}

export class Notes {
  #run;

  constructor(run) {
    this.#run = run.id;
    this.scores = h('dl', { id: 'final-scores', class: 'scores' });
    this.tags = h('input', { id: 'tags', autocomplete: 'off', spellcheck: 'false', placeholder: 'baseline, wide' });
    this.text = h('textarea', { id: 'note', rows: 3 });
    this.message = h('p', { id: 'notes-message', class: 'field-message', role: 'status' });
    this.element = panel('notes', 'Scores and notes', null,
      this.scores,
      h('form', {
        onsubmit: (event) => {
          event.preventDefault();
          this.#keep();
        },
      },
      h('label', { for: 'tags' }, 'Tags, separated by commas'),
      this.tags,
      h('label', { for: 'note' }, 'Note'),
      this.text,
      this.message,
      h('div', { class: 'buttons' }, h('button', { type: 'submit', id: 'notes-keep' }, 'Keep'))));
  }

  async refresh() {
    this.#show(await about(this.#run));
  }

  #show(now) {
    this.scores.replaceChildren(...Object.entries(now.scores).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, short(value)))));
    show(this.scores, Object.keys(now.scores).length > 0);
    const untouched = (field, kept) => field.value === (kept ?? '');
    if (untouched(this.tags, this.keptTags)) {
      this.tags.value = this.keptTags = now.tags.join(', ');
    }
    if (untouched(this.text, this.keptNote)) {
      this.text.value = this.keptNote = now.note;
    }
  }

  async #keep() {
    const tags = this.tags.value.split(',').map((tag) => tag.trim()).filter(Boolean);
    try {
      const now = await note(this.#run, { tags, note: this.text.value });
      this.keptTags = this.tags.value;
      this.keptNote = this.text.value;
      this.#show(now);
      this.#answer('Kept.', false);
    } catch (e) {
      this.#answer(e.message, true);
    }
  }

  #answer(message, wrong) {
    this.message.classList.toggle('wrong', wrong);
    say(this.message, message);
  }
}
