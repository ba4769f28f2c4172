// The metrics of a run: loaded from the server, extended by ticks without gaps or duplicates, and thinned if they are many.

import { get, Unreachable } from './api.js';
import { figure } from './words.js';

const POINTS = 2000;
const MOST = 5000;
const AT_ONCE = 24;

export class Series {
  /** Called when something changed. */
  onchange = () => {};

  #run;
  #of = new Map();
  #detail = null;
  #now = {};
  #waiting = [];
  #busy = false;
  #again = false;
  #behind = false;
  #timer = 0;
  #thinning = new Set();

  /** @param run the run's id; begin with {@link catchUp} before the first tick */
  constructor(run) {
    this.#run = run;
  }

  names() {
    return [...this.#of.keys()];
  }

  /** Requests the points after the last known ones. Ticks that arrive meanwhile wait. */
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
      }, (_, points) => this.#append(name, points))));
      const fresh = names.filter((name) => !old.includes(name));
      await this.#ask(fresh, {}, (name, points) => this.#of.set(name, points));
      this.#behind = false;
    } catch (e) {
      this.#behind = true; // points of ticks are dropped until earlier ones have arrived
      if (e instanceof Unreachable) {
        this.#timer = setTimeout(() => this.catchUp().catch(() => {}), 3000);
      }
      throw e;
    } finally {
      this.#busy = false;
      const waiting = this.#again ? [] : this.#waiting; // points after a gap are requested again
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

  /** Sets the metrics of the last turns; the curves have means of some rounds. */
  turned(figures) {
    this.#now = figures;
    this.onchange();
  }

  /** Returns the newest value of a metric, or null. */
  now(name) {
    return figure(this.#now[name]);
  }

  /** Adds the points of a tick. */
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
        this.#append(name, { steps: pairs.map((pair) => pair[0]), values: pairs.map((pair) => figure(pair[1])), times: pairs.map((pair) => pair[2] ?? 0) });
        changed = true;
      }
    }
    if (changed) {
      this.onchange();
    }
  }

  /** Asks for more points of an interval; null restores the points of the whole run. */
  async detail(from, to) {
    this.#detail = null;
    if (from === null) {
      this.onchange();
      return;
    }
    const detail = { from, to, of: new Map() };
    this.#detail = detail;
    const query = { from: Math.floor(from), to: Math.ceil(to) };
    await this.#ask(this.names(), query, (name, points) => detail.of.set(name, points));
    if (this.#detail === detail) {
      this.onchange();
    }
  }

  /** The points of a series as `{steps, values, times}`; NaN where one is. */
  view(name) {
    const all = this.#of.get(name) ?? { steps: [], values: [], times: [] };
    const close = this.#detail?.of.get(name);
    if (!close?.steps.length) {
      return all;
    }
    const before = index(all.steps, close.steps[0]);
    const behind = index(all.steps, close.steps.at(-1) + 1);
    const join = (key) => [...all[key].slice(0, before), ...close[key], ...all[key].slice(behind)];
    return { steps: join('steps'), values: join('values'), times: join('times') };
  }

  /** The newest point of a series as `{step, value}`, or null. */
  last(name) {
    const all = this.#of.get(name);
    return all?.steps.length ? { step: all.steps.at(-1), value: all.values.at(-1) } : null;
  }

  /** Where the points of a series lie: at their steps, or at the seconds since the first point of all. */
  places(points, byTime) {
    if (!byTime) {
      return points.steps;
    }
    const began = this.#began();
    return points.times.map((time) => Math.max(0, time - began));
  }

  #began() {
    const firsts = [...this.#of.values()].map(({ times }) => times.find((time) => time > 0)).filter(Boolean);
    return firsts.length ? Math.min(...firsts) : 0;
  }

  /** The first and the last place of all. */
  extent(byTime) {
    let from = Infinity;
    let to = -Infinity;
    for (const points of this.#of.values()) {
      if (points.steps.length) {
        const last = byTime ? points.times.at(-1) - this.#began() : points.steps.at(-1);
        from = Math.min(from, byTime ? 0 : points.steps[0]);
        to = Math.max(to, last);
      }
    }
    return to < from ? [0, 1] : [from, Math.max(to, from + 1)];
  }

  /** The steps between two times, in seconds since the first point. */
  stepsBetween(from, to) {
    const began = this.#began();
    let [first, last] = [Infinity, 0];
    for (const { steps, times } of this.#of.values()) {
      steps.forEach((step, i) => {
        if (times[i] - began >= from && times[i] - began <= to) {
          [first, last] = [Math.min(first, step), Math.max(last, step)];
        }
      });
    }
    return first <= last ? [first, last] : [0, 1];
  }

  async #ask(names, query, take) {
    for (let i = 0; i < names.length; i += AT_ONCE) {
      const series = names.slice(i, i + AT_ONCE);
      const answer = await get(this.#run, 'metrics', { series, points: POINTS, ...query });
      for (const [name, { steps, values, times }] of Object.entries(answer.series)) {
        take(name, { steps, values: values.map(figure), times: times ?? steps.map(() => 0) });
      }
    }
  }

  #append(name, points) {
    if (!this.#of.has(name)) {
      this.#of.set(name, { steps: [], values: [], times: [] });
    }
    const all = this.#of.get(name);
    const last = all.steps.at(-1) ?? -1;
    points.steps.forEach((step, i) => {
      if (step > last) {
        Object.keys(all).forEach((key) => all[key].push(points[key][i]));
      }
    });
    if (all.steps.length > MOST) {
      this.#thin(name);
    }
  }

  /** Requests fewer points. Points that arrive meanwhile are later ones. */
  async #thin(name) {
    if (this.#thinning.has(name)) {
      return;
    }
    this.#thinning.add(name);
    try {
      const last = this.#of.get(name).steps.at(-1);
      await this.#ask([name], { to: last }, (_, fewer) => {
        const all = this.#of.get(name);
        const behind = index(all.steps, (fewer.steps.at(-1) ?? -1) + 1);
        Object.keys(all).forEach((key) => (all[key] = [...fewer[key], ...all[key].slice(behind)]));
      });
    } catch {
      const all = this.#of.get(name); // out of reach: every second one goes
      const keep = (_, i) => i % 2 === 0 || i > MOST - 500;
      Object.keys(all).forEach((key) => (all[key] = all[key].filter(keep)));
    } finally {
      this.#thinning.delete(name);
    }
  }
}

/** The index of the first step that is not below another. */
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
