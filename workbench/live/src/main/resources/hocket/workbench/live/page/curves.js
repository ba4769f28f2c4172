// The curves of a run: losses on one axis, norms of gradients, returns of an agent, and all other metrics.

import { Chart } from './chart.js';
import { folding, h, panel, say, show, slug } from './dom.js';
import { Interval } from './interval.js';
import { isSetting, parts } from './words.js';

/** The time between two drawings; metrics arrive faster than anybody reads. */
const PAUSE = 400;

/** Returns the chart of a metric. */
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

/** A line's name: its turn, if the chart's title has the rest. */
function labelOf(series, chart) {
  const { turn, what } = parts(series);
  if (chart === 'returns') {
    return turn === 'evaluation' ? what : series;
  }
  const before = what.split('/').slice(0, -1).join(' ');
  return before ? `${turn} ${before}` : turn;
}

/** Elements to choose a chart's axis and smoothing; `changed()` is called after a choice. */
export function axisTools(interval, changed) {
  const by = h('select', {
    id: 'axis',
    'aria-label': 'By',
    onchange: () => {
      interval.byTime = by.value === 'time';
      changed();
    },
  }, h('option', { value: 'step' }, 'by step'), h('option', { value: 'time' }, 'by time'));
  const value = h('output', {}, '0');
  const slider = h('input', {
    type: 'range',
    id: 'smoothing',
    min: 0,
    max: 0.99,
    step: 0.01,
    value: 0,
    oninput: () => {
      interval.smoothing = Number(slider.value);
      say(value, slider.value);
      changed();
    },
  });
  return [by, h('label', { class: 'smoothing', title: 'The weight of the moving average: 0 for none' }, 'Smoothing', slider, value)];
}

export class Curves {
  /** Called after the metrics are redrawn. */
  ondrawn = () => {};

  #run;
  #series;
  #turns;
  #interval = new Interval();
  #charts = new Map();
  #others = new Map();
  #timer = 0;
  #drawn = 0;

  /**
   * @param run whose turns' order is that of colours
   * @param series all metrics of the run
   */
  constructor(run, series) {
    this.#run = run;
    this.#series = series;
    this.#turns = run.turns.map((turn) => turn.name);
    series.onchange = () => this.#soon();
    this.#interval.onchange = (interval) => this.#zoomed(interval);
    const logs = this.#toggle('log-scale', 'Log scale', (on) => (this.#chart('losses').log = on));
    this.reset = h('button', { type: 'button', id: 'reset-zoom', hidden: true, onclick: () => this.#all() }, 'Show all');
    this.range = h(
      'select',
      { id: 'range', 'aria-label': 'Part shown', onchange: () => this.#interval.follow(Number(this.range.value)) },
      h('option', { value: '1' }, 'all of it'),
      h('option', { value: '0.5' }, 'last half'),
      h('option', { value: '0.1' }, 'last tenth'),
      h('option', { value: 'zoom', hidden: true }, 'zoomed'),
    );
    const tools = [this.range, this.reset, ...axisTools(this.#interval, () => this.#axis()), logs];
    this.element = h('div', { class: 'curves' });
    if (run.agent) {
      this.element.append(this.#panel('returns', 'Returns', 'Return of episodes'));
    }
    this.element.append(this.#panel('losses', 'Losses', 'Losses', tools));
    this.element.querySelector('#losses').append(
      h('p', { class: 'hint for-mouse' }, 'Drag to zoom, double-click to show all. The charts show the same part. '
        + 'A point is the mean of the rounds since the point before; “turn” is what the last turn reported.'),
    );
    this.element.append(this.#panel('gradients', 'Gradient norms by turn', 'Norms of gradients'));
    this.grid = h('div', { class: 'small-charts' });
    this.more = folding('figures', 'Other metrics and settings', false, this.grid);
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
    const chart = new Chart(`${id}-chart`, says, this.#interval);
    this.#charts.set(id, chart);
    const empty = h('p', { class: 'empty', id: `${id}-empty` }, 'Nothing has been recorded yet.');
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
    this.#interval.follow(1);
    this.range.focus();
  }

  /** After the axis or the smoothing was changed. */
  #axis() {
    this.#interval.fixed = null;
    this.#interval.follow(this.#interval.fraction);
  }

  async #zoomed(interval) {
    show(this.reset, interval !== null);
    this.range.value = this.#interval.fixed ? 'zoom' : String(this.#interval.fraction);
    this.#now();
    const [from, to] = interval && this.#interval.byTime ? this.#series.stepsBetween(...interval) : interval ?? [null];
    await this.#series.detail(from, to).catch(() => {}); // then it is as coarse as before
  }

  #soon() {
    if (!this.#timer && !document.hidden) {
      this.#timer = setTimeout(() => this.#now(), Math.max(0, PAUSE - (performance.now() - this.#drawn)));
    }
  }

  #now() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#interval.extent = this.#series.extent(this.#interval.byTime);
    const groups = new Map([...this.#charts.keys()].map((id) => [id, []]));
    for (const name of this.#series.names()) {
      const chart = chartOf(name);
      if (!groups.has(chart)) {
        groups.set(chart, []);
      }
      groups.get(chart).push(name);
    }
    for (const [id, names] of groups) {
      if (this.#charts.has(id)) {
        show(document.getElementById(`${id}-empty`) ?? h('p'), names.length === 0);
        show(this.#chart(id).element, names.length > 0);
        this.#chart(id).draw(this.#lines(id, names));
      } else if (this.more.open) {
        this.#other(id).draw(this.#lines(id, names));
      }
    }
    show(this.more, groups.size > this.#charts.size);
    [...this.#charts.values(), ...this.#others.values()].forEach((chart) => chart.link());
    this.ondrawn();
    this.#drawn = performance.now();
  }

  #other(id) {
    if (!this.#others.has(id)) {
      const chart = new Chart(`figure-${slug(id)}`, id, this.#interval);
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
      const points = this.#series.view(name);
      const line = {
        key: name,
        label: labelOf(name, chart),
        colour: colour % 8,
        xs: this.#series.places(points, this.#interval.byTime),
        values: points.values,
        last: this.#series.last(name)?.value,
        now: this.#series.now(name),
        stairs: isSetting(name, this.#run),
      };
      const end = this.#interval.extent[1];
      if (line.stairs && line.xs.length && line.xs.at(-1) < end) { // it holds until now
        line.xs = [...line.xs, end];
        line.values = [...line.values, line.values.at(-1)];
      }
      return line;
    });
  }
}
