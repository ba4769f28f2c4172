// Pictures of a run, the newest first, with a slider through earlier ones: grids of samples, and films of an agent.

import { get, picture, Refused, Unreachable } from './api.js';
import { h, panel, say, show } from './dom.js';
import { count, time } from './words.js';

const KEPT = 80;

/** The names of both kinds on the page and in the API. */
const KINDS = {
  samples: { title: 'Samples', one: 'sample', none: 'No samples yet.' },
  films: { title: 'Latest episode', one: 'film', none: 'No episode was filmed yet.' },
};

export class Pictures {
  #run;
  #kind;
  #list = [];
  #now = null;
  #kept = new Map();
  #newest = true;
  #wanted = null;
  #held = false;

  /** @param kind `samples` or `films` */
  constructor(run, kind) {
    this.#run = run;
    this.#kind = kind;
    const { title, none } = KINDS[kind];
    this.image = h('img', { alt: '', hidden: true, class: 'picture' });
    this.still = h('canvas', { class: 'picture', hidden: true, role: 'img' });
    this.caption = h('p', { class: 'caption', id: `${kind}-caption` }, none);
    this.slider = h('input', {
      type: 'range',
      id: `${kind}-slider`,
      min: 0,
      max: 0,
      value: 0,
      'aria-label': `Earlier ${kind}`,
      oninput: () => this.#choose(Number(this.slider.value)),
    });
    this.latest = h('button', {
      type: 'button',
      id: `${kind}-newest`,
      'aria-pressed': 'true',
      onclick: () => this.#choose(this.#list.length - 1),
    }, 'Newest');
    this.bar = h('div', { class: 'scrubber', hidden: true }, this.slider, this.latest);
    this.hold = h('button', {
      type: 'button',
      id: 'film-hold',
      hidden: kind !== 'films',
      onclick: () => this.#still(this.still.hidden),
    }, 'Hold the film');
    this.image.addEventListener('load', () => this.#loaded());
    this.element = panel(kind, title, this.hold, h('div', { class: 'frame' }, this.image, this.still), this.caption, this.bar);
    this.#held = kind === 'films' && matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  destroy() {
    this.#kept.forEach((url) => URL.revokeObjectURL(url));
    this.#kept.clear();
  }

  /** Looks what there is. */
  async refresh() {
    try {
      this.#list = (await get(this.#run, this.#kind))[this.#kind];
    } catch (e) {
      if (!(e instanceof Refused && e.status === 404)) {
        throw e;
      }
      this.#list = []; // a run that has none of these
    }
    this.#add();
    await this.#follow();
  }

  /** Takes the name and step of the newest picture: `latest` is not in the list and is replaced by the next one. */
  look(drawn) {
    const now = drawn?.name === 'latest' ? drawn : null;
    if (now?.step === this.#now?.step) {
      return;
    }
    this.#list = this.#list.filter((each) => each !== this.#now);
    this.#now = now && { ...now, time: Date.now() / 1000 };
    this.#add();
    this.#follow();
  }

  #add() {
    if (this.#now) {
      this.#list = [...this.#list.filter((each) => each.name !== this.#now.name), this.#now];
    }
  }

  async #follow() {
    const last = this.#list.length - 1;
    this.slider.max = Math.max(0, last);
    show(this.bar, last > 0);
    if (last >= 0 && this.#newest) {
      await this.#choose(last);
    } else {
      this.#mark();
    }
  }

  async #choose(at) {
    const one = this.#list[at];
    if (!one) {
      return;
    }
    this.#newest = at === this.#list.length - 1;
    this.#wanted = one;
    this.slider.value = at;
    this.#mark();
    try {
      const url = await this.#url(one);
      if (this.#wanted === one && this.image.src !== url) {
        this.image.src = url;
        this.image.alt = `${KINDS[this.#kind].one} ${this.#title(one)}`;
      }
    } catch (e) {
      if (this.#wanted === one) {
        say(this.caption, e instanceof Unreachable
          ? `${this.#title(one)}: was not loaded while the run answered, so it is not available`
          : `${this.#title(one)}: ${e.message}`);
      }
    }
  }

  async #url(one) {
    const key = one === this.#now ? `${one.name} ${one.step}` : one.name;
    if (!this.#kept.has(key)) {
      const url = await picture(this.#run, this.#kind, one.name);
      this.#kept.set(key, url);
      for (const [old, oldUrl] of this.#kept) {
        if (this.#kept.size > KEPT && oldUrl !== this.image.src && old !== key) {
          URL.revokeObjectURL(oldUrl);
          this.#kept.delete(old);
        }
      }
    }
    return this.#kept.get(key);
  }

  #title(one) {
    const step = one.step === null || one.step === undefined ? '' : `, step ${count(one.step)}`;
    return `${one === this.#now ? 'now' : one.name}${step}${one.time ? `, ${time(one.time)}` : ''}`;
  }

  #mark() {
    const at = this.#list.indexOf(this.#wanted);
    const place = this.#newest ? 'newest' : `${at + 1} of ${this.#list.length}`;
    this.latest.setAttribute('aria-pressed', String(this.#newest));
    if (this.#wanted) {
      const text = `${this.#title(this.#wanted)} (${place}${this.#newest ? ` of ${this.#list.length}` : ''})`;
      say(this.caption, text);
      this.slider.setAttribute('aria-valuetext', text);
    }
  }

  #loaded() {
    this.image.classList.toggle('fine', this.image.naturalWidth > 2 * this.image.clientWidth); // not of large pixels
    show(this.image, !this.#held);
    if (this.#kind === 'films') {
      this.#still(this.#held);
    }
  }

  /** Shows a film's first picture, or lets it run. */
  #still(held) {
    this.#held = held;
    if (held && this.image.naturalWidth) {
      this.still.width = this.image.naturalWidth;
      this.still.height = this.image.naturalHeight;
      this.still.getContext('2d').drawImage(this.image, 0, 0);
      this.still.setAttribute('aria-label', `${this.image.alt}, held`);
    }
    show(this.still, held);
    show(this.image, !held);
    say(this.hold, held ? 'Play the film' : 'Hold the film');
  }
}
