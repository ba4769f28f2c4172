// The curves of a run: losses on one axis, norms of gradients, returns of an agent, and all other figures.

import { Chart } from './chart.js';
import { folding, h, panel, say, show, slug } from './dom.js';
import { badness } from './series.js';
import { Stretch } from './stretch.js';
import { count, parts, short } from './words.js';

/** Between two drawings; figures come faster than anybody reads. */
const PAUSE = 400;

/** Which chart a series belongs to. */
function chartOf(series) {
  const { turn, what } = parts(series);
  const kind = what.split('/').at(-1);
  if (/return/.test(kind) && !/deviation/.test(kind)) {
    return 'returns';
  }
  if (kind === 'loss' && turn !== 'evaluation') {
    return 'losses';
  }
  if (kind === 'gradient_norm') {
    return 'gradients';
  }
  return turn === 'evaluation' || turn === 'validation' ? `${turn}: ${what}` : what;
}

/** A line's name: its turn, where the chart says the rest. */
function labelOf(series, chart) {
  const { turn, what } = parts(series);
  if (chart === 'returns') {
    return turn === 'evaluation' ? what : series;
  }
  const before = what.split('/').slice(0, -1).join(' ');
  return before ? `${turn} ${before}` : turn;
}

export class Curves {
  #series;
  #turns;
  #stretch = new Stretch();
  #charts = new Map();
  #others = new Map();
  #timer = 0;
  #drawn = 0;
  #mark = null;

  /**
   * @param series all figures of the run
   * @param turns their names, whose order is that of colours
   */
  constructor(series, turns, agent) {
    this.#series = series;
    this.#turns = turns;
    series.onchange = () => this.#soon();
    this.#stretch.onchange = (stretch) => this.#zoomed(stretch);
    const logs = this.#toggle('log-scale', 'Log scale', (on) => (this.#chart('losses').log = on));
    this.reset = h('button', { type: 'button', id: 'reset-zoom', hidden: true, onclick: () => this.#all() }, 'Show all');
    this.range = h(
      'select',
      { id: 'range', 'aria-label': 'Steps shown', onchange: () => this.#stretch.follow(Number(this.range.value)) },
      h('option', { value: '1' }, 'all steps'),
      h('option', { value: '0.5' }, 'last half'),
      h('option', { value: '0.1' }, 'last tenth'),
      h('option', { value: 'zoom', hidden: true }, 'zoomed'),
    );
    this.worst = h('p', { id: 'worst', class: 'worst' }, 'Worst loss: none yet');
    this.element = h('div', { class: 'curves' });
    if (agent) {
      this.element.append(this.#panel('returns', 'Returns', 'Return of episodes by step'));
    }
    this.element.append(this.#panel('losses', 'Losses', 'Losses by step', [this.range, this.reset, logs], this.worst));
    this.element.querySelector('#losses').append(
      h('p', { class: 'hint for-mouse' }, 'Drag to zoom, double-click for all of it. The charts show the same steps.'),
    );
    this.element.append(this.#panel('gradients', 'Gradient norms by turn', 'Norms of gradients by step'));
    this.grid = h('div', { class: 'small-charts' });
    this.more = folding('figures', 'Other figures', false, this.grid);
    this.more.addEventListener('toggle', () => this.#soon());
    this.element.append(this.more);
    this.repaint = () => [...this.#charts.values(), ...this.#others.values()].forEach((chart) => chart.repaint());
    window.addEventListener('themechange', this.repaint);
    document.addEventListener('visibilitychange', this.seen = () => this.#soon());
  }

  destroy() {
    clearTimeout(this.#timer);
    window.removeEventListener('themechange', this.repaint);
    document.removeEventListener('visibilitychange', this.seen);
    [...this.#charts.values(), ...this.#others.values()].forEach((chart) => chart.destroy());
  }

  colour(turn) {
    const at = this.#turns.indexOf(turn);
    return at >= 0 ? at : this.#turns.length;
  }

  #chart(id) {
    return this.#charts.get(id);
  }

  #panel(id, title, says, tools = [], ...above) {
    const chart = new Chart(`${id}-chart`, says, this.#stretch);
    this.#charts.set(id, chart);
    const empty = h('p', { class: 'empty', id: `${id}-empty` }, 'Nothing was recorded yet.');
    return panel(id, title, h('div', { class: 'tools' }, ...tools), ...above, empty, chart.element);
  }

  #toggle(id, text, act) {
    const button = h('button', {
      type: 'button',
      id,
      'aria-pressed': 'false',
      onclick: () => {
        const on = button.getAttribute('aria-pressed') !== 'true';
        button.setAttribute('aria-pressed', String(on));
        act(on);
      },
    }, text);
    return button;
  }

  #all() {
    this.#stretch.follow(1);
    this.range.focus();
  }

  async #zoomed(stretch) {
    show(this.reset, stretch !== null);
    this.range.value = this.#stretch.fixed ? 'zoom' : String(this.#stretch.fraction);
    this.#now();
    await this.#series.detail(stretch ? stretch[0] : null, stretch?.[1]).catch(() => {}); // then it is as coarse as before
  }

  #soon() {
    if (!this.#timer && !document.hidden) {
      this.#timer = setTimeout(() => this.#now(), Math.max(0, PAUSE - (performance.now() - this.#drawn)));
    }
  }

  #now() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#stretch.extent = this.#series.extent();
    const groups = new Map([...this.#charts.keys()].map((id) => [id, []]));
    for (const name of this.#series.names()) {
      const chart = chartOf(name);
      if (!groups.has(chart)) {
        groups.set(chart, []);
      }
      groups.get(chart).push(name);
    }
    this.#showWorst(groups.get('losses'));
    for (const [id, names] of groups) {
      if (this.#charts.has(id)) {
        show(document.getElementById(`${id}-empty`) ?? h('p'), names.length === 0);
        show(this.#chart(id).element, names.length > 0);
        this.#chart(id).draw(this.#lines(id, names), id === 'losses' ? this.#mark : null);
      } else if (this.more.open) {
        this.#other(id).draw(this.#lines(id, names));
      }
    }
    show(this.more, groups.size > this.#charts.size);
    [...this.#charts.values(), ...this.#others.values()].forEach((chart) => chart.link());
    this.#drawn = performance.now();
  }

  #other(id) {
    if (!this.#others.has(id)) {
      const chart = new Chart(`figure-${slug(id)}`, `${id} by step`, this.#stretch);
      this.#others.set(id, chart);
      this.grid.append(h('div', {}, h('h3', {}, h('bdi', {}, id)), chart.element));
    }
    return this.#others.get(id);
  }

  #lines(chart, names) {
    const used = new Set();
    return names.map((name) => {
      let colour = this.colour(parts(name).turn);
      while (used.has(colour % 8) && used.size < 8) {
        colour++;
      }
      used.add(colour % 8);
      const { steps, values } = this.#series.view(name);
      return { key: name, label: labelOf(name, chart), colour, steps, values, last: this.#series.last(name)?.value, now: this.#series.now(name) };
    });
  }

  /** The network that is worst off now, and the worst that ever was. */
  #showWorst(names) {
    const now = names.map((name) => ({ name, ...this.#series.last(name) })).filter((each) => 'value' in each);
    const ever = names.map((name) => ({ name, ...this.#series.worst(name) })).filter((each) => 'value' in each);
    const most = (of) => of.reduce((a, b) => (badness(b.value) > badness(a.value) ? b : a));
    this.#mark = null;
    if (!now.length || !ever.length) {
      say(this.worst, 'Worst loss: none yet');
      return;
    }
    const [present, past] = [most(now), most(ever)];
    const label = (name) => labelOf(name, 'losses');
    say(
      this.worst,
      `Worst loss now: ${label(present.name)} ${short(present.value)}. `
        + `Worst so far: ${label(past.name)} ${short(past.value)} at step ${count(past.step)}.`,
    );
    this.#mark = { ...past, label: `worst: ${label(past.name)} ${short(past.value)}` };
  }

}
