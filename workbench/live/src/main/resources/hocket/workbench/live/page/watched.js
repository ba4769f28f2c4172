// Metrics that tell how good a run is: scores, error rates and returns, or those that a person chose.

import { h, panel, say, show } from './dom.js';
import { count, parts, short } from './words.js';

const KEY = 'hocket-watched';

/** The largest number shown. */
const MOST = 6;

/** The rank of a metric that tells how good a run is, the lowest first; null for other metrics. */
function rank(name) {
  const { turn, what } = parts(name);
  if (turn === 'evaluation') {
    return 0;
  }
  if (/return/.test(what) && !/deviation/.test(what)) {
    return 1;
  }
  if (turn === 'validation') {
    return 2;
  }
  return /error|accuracy/.test(what) ? 3 : null;
}

export class Watched {
  #series;
  #key;
  #chosen;
  #tiles = new Map();
  #offered = '';

  constructor(run, series) {
    this.#series = series;
    this.#key = `${KEY}/${run.name}`;
    this.#chosen = stored(this.#key);
    this.more = h('select', { id: 'watch', 'aria-label': 'Watch a metric', onchange: () => this.#add(this.more.value) });
    this.usual = h('button', { type: 'button', id: 'watch-usual', hidden: true, onclick: () => this.#choose(null) }, 'As usual');
    this.list = h('ul', { class: 'tiles' });
    this.none = h('p', { class: 'empty' }, 'Nothing has been scored yet. A metric can be chosen.');
    this.element = panel('watched', 'Watched', h('div', { class: 'tools' }, this.usual, this.more), this.none, this.list);
  }

  #names() {
    const known = this.#series.names();
    if (this.#chosen) {
      return this.#chosen.filter((name) => known.includes(name));
    }
    return known.filter((name) => rank(name) !== null).sort((a, b) => rank(a) - rank(b)).slice(0, MOST);
  }

  update() {
    const names = this.#names();
    for (const [name, tile] of this.#tiles) {
      if (!names.includes(name)) {
        tile.element.remove();
        this.#tiles.delete(name);
      }
    }
    names.forEach((name) => this.#show(name));
    show(this.none, names.length === 0);
    show(this.usual, this.#chosen !== null);
    const others = this.#series.names().filter((name) => !names.includes(name));
    if (this.#offered !== others.join()) {
      this.#offered = others.join();
      this.more.replaceChildren(h('option', { value: '' }, 'Watch…'), ...others.map((name) => h('option', { value: name }, name)));
    }
  }

  #show(name) {
    const { values } = this.#series.view(name);
    const last = this.#series.last(name);
    if (!this.#tiles.has(name)) {
      const { turn, what } = parts(name);
      const tile = { value: h('strong', { class: 'value' }), at: h('span', { class: 'hint' }), range: h('span', { class: 'hint' }) };
      tile.element = h('li', { 'data-watched': name },
        h('span', { class: 'name', title: name }, h('bdi', {}, turn === 'evaluation' ? what : name)),
        tile.value, tile.at, tile.range,
        h('button', { type: 'button', class: 'quiet', 'aria-label': `Stop watching ${name}`, title: 'Stop watching it', onclick: () => this.#drop(name) }, '×'));
      this.#tiles.set(name, tile);
      this.list.append(tile.element);
    }
    const tile = this.#tiles.get(name);
    const finite = values.filter(Number.isFinite);
    let [low, high] = [Infinity, -Infinity];
    finite.forEach((value) => ([low, high] = [Math.min(low, value), Math.max(high, value)]));
    say(tile.value, short(last?.value));
    say(tile.at, last ? `at step ${count(last.step)}` : '');
    say(tile.range, finite.length > 1 ? `${short(low)} to ${short(high)} so far` : '');
  }

  #add(name) {
    if (name) {
      this.#choose([...this.#names(), name]);
    }
  }

  #drop(name) {
    this.#choose(this.#names().filter((each) => each !== name));
  }

  #choose(names) {
    this.#chosen = names;
    try {
      if (names) {
        localStorage.setItem(this.#key, JSON.stringify(names));
      } else {
        localStorage.removeItem(this.#key);
      }
    } catch {
      // without storage it lasts as long as the page
    }
    this.#tiles.forEach((tile) => tile.element.remove());
    this.#tiles.clear();
    this.update();
  }
}

function stored(key) {
  try {
    const names = JSON.parse(localStorage.getItem(key));
    return Array.isArray(names) ? names.map(String) : null;
  } catch {
    return null;
  }
}
