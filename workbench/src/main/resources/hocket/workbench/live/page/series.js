// The figures of a run: what the server has, kept up by ticks without a gap or a point twice, thinned where they get many.

import { get, Unreachable } from './api.js';
import { figure, parts } from './words.js';

const POINTS = 2000;
const MOST = 5000;
const AT_ONCE = 24;

export class Series {
  /** Called when something changed. */
  onchange = () => {};

  #run;
  #of = new Map();
  #detail = null;
  #worst = new Map();
  #now = {};
  #waiting = [];
  #busy = false;
  #again = false;
  #behind = false;
  #timer = 0;
  #thinning = new Set();

  /** @param run the run's id; begin with {@link start} before the first tick */
  constructor(run) {
    this.#run = run;
  }

  names() {
    return [...this.#of.keys()];
  }

  /** Asks for everything there is; tries again where the server does not answer. */
  start() {
    return this.catchUp();
  }

  /** Asks for what came behind the last points that are here. Ticks that come meanwhile wait. */
  async catchUp() {
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    this.#waiting = [];
    clearTimeout(this.#timer);
    try {
      const { series } = await get(this.#run, 'series');
      const names = series.map((each) => each.name);
      const old = names.filter((name) => this.#of.get(name)?.steps.length);
      await Promise.all(old.map((name) => this.#ask([name], {
        from: this.#of.get(name).steps.at(-1) + 1,
        points: MOST,
      }, (_, steps, values) => this.#append(name, steps, values))));
      const fresh = names.filter((name) => !old.includes(name));
      await this.#ask(fresh, {}, (name, steps, values) => this.#put(name, steps, values));
      this.#behind = false;
    } catch (e) {
      this.#behind = true; // what ticks bring is left out until what is before it came
      if (e instanceof Unreachable) {
        this.#timer = setTimeout(() => this.catchUp().catch(() => {}), 3000);
      }
      throw e;
    } finally {
      this.#busy = false;
      const waiting = this.#again ? [] : this.#waiting; // what came behind something missing is asked for once more
      this.#waiting = [];
      waiting.forEach((points) => this.take(points));
      this.onchange();
    }
    if (this.#again) {
      this.#again = false;
      await this.catchUp();
    }
  }

  close() {
    clearTimeout(this.#timer);
  }

  /** The figures of the turns that were taken just now, of which the curves have the means of some rounds. */
  turned(figures) {
    this.#now = figures;
    this.onchange();
  }

  /** A series' newest figure, or null. */
  now(name) {
    return figure(this.#now[name]);
  }

  /** What a tick brought. */
  take(points) {
    if (this.#behind) {
      return;
    }
    if (this.#busy) {
      this.#waiting.push(points);
      return;
    }
    let changed = false;
    for (const [name, pairs] of Object.entries(points)) {
      if (pairs.length) {
        this.#append(name, pairs.map((pair) => pair[0]), pairs.map((pair) => figure(pair[1])));
        changed = true;
      }
    }
    if (changed) {
      this.onchange();
    }
  }

  /** Asks for more points of a stretch that somebody looks at closely; null goes back. */
  async detail(from, to) {
    this.#detail = null;
    if (from === null) {
      this.onchange();
      return;
    }
    const detail = { from, to, of: new Map() };
    this.#detail = detail;
    const query = { from: Math.floor(from), to: Math.ceil(to) };
    await this.#ask(this.names(), query, (name, steps, values) => detail.of.set(name, { steps, values }));
    if (this.#detail === detail) {
      this.onchange();
    }
  }

  /** The points of a series as `{steps, values}`; NaN where one is. */
  view(name) {
    const all = this.#of.get(name) ?? { steps: [], values: [] };
    const close = this.#detail?.of.get(name);
    if (!close?.steps.length) {
      return all;
    }
    const before = index(all.steps, close.steps[0]);
    const behind = index(all.steps, close.steps.at(-1) + 1);
    return {
      steps: [...all.steps.slice(0, before), ...close.steps, ...all.steps.slice(behind)],
      values: [...all.values.slice(0, before), ...close.values, ...all.values.slice(behind)],
    };
  }

  /** The newest point of a series as `{step, value}`, or null. */
  last(name) {
    const all = this.#of.get(name);
    return all?.steps.length ? { step: all.steps.at(-1), value: all.values.at(-1) } : null;
  }

  /** The highest of a series that was ever seen; what is no number is worse than any. */
  worst(name) {
    return this.#worst.get(name) ?? null;
  }

  /** First and last step of all. */
  extent() {
    let from = Infinity;
    let to = -Infinity;
    for (const { steps } of this.#of.values()) {
      if (steps.length) {
        from = Math.min(from, steps[0]);
        to = Math.max(to, steps.at(-1));
      }
    }
    return to < from ? [0, 1] : [from, Math.max(to, from + 1)];
  }

  async #ask(names, query, take) {
    for (let i = 0; i < names.length; i += AT_ONCE) {
      const series = names.slice(i, i + AT_ONCE);
      const answer = await get(this.#run, 'metrics', { series, points: POINTS, ...query });
      for (const [name, { steps, values }] of Object.entries(answer.series)) {
        take(name, steps, values.map(figure));
      }
    }
  }

  #put(name, steps, values) {
    this.#of.set(name, { steps, values });
    this.#judge(name, steps, values);
  }

  #append(name, steps, values) {
    if (!this.#of.has(name)) {
      this.#of.set(name, { steps: [], values: [] });
    }
    const all = this.#of.get(name);
    const last = all.steps.at(-1) ?? -1;
    steps.forEach((step, i) => {
      if (step > last) {
        all.steps.push(step);
        all.values.push(values[i]);
      }
    });
    this.#judge(name, steps, values);
    if (all.steps.length > MOST) {
      this.#thin(name);
    }
  }

  #judge(name, steps, values) {
    if (!/(^|\/)loss$/.test(parts(name).what)) {
      return;
    }
    steps.forEach((step, i) => {
      const value = values[i];
      const worst = this.#worst.get(name);
      if (value !== null && (!worst || badness(value) > badness(worst.value))) {
        this.#worst.set(name, { step, value });
      }
    });
  }

  /** Asks again for fewer points. What comes meanwhile is behind them. */
  async #thin(name) {
    if (this.#thinning.has(name)) {
      return;
    }
    this.#thinning.add(name);
    try {
      const last = this.#of.get(name).steps.at(-1);
      await this.#ask([name], { to: last }, (_, steps, values) => {
        const all = this.#of.get(name);
        const behind = index(all.steps, (steps.at(-1) ?? -1) + 1);
        this.#of.set(name, {
          steps: [...steps, ...all.steps.slice(behind)],
          values: [...values, ...all.values.slice(behind)],
        });
      });
    } catch {
      const all = this.#of.get(name); // out of reach: every second one goes
      const keep = (_, i) => i % 2 === 0 || i > MOST - 500;
      this.#of.set(name, { steps: all.steps.filter(keep), values: all.values.filter(keep) });
    } finally {
      this.#thinning.delete(name);
    }
  }
}

/** By which losses are compared: what is no number is the worst. */
export function badness(value) {
  return Number.isNaN(value) ? Infinity : value;
}

/** Where the first step that is not below another stands. */
function index(steps, step) {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle] < step) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
