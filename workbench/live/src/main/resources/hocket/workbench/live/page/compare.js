// A comparison of runs: one metric of each on one axis, settings that differ, and their newest pictures.

import { get, picture } from './api.js';
import { Chart } from './chart.js';
import { axisTools } from './curves.js';
import { h, panel, say, show } from './dom.js';
import { tools } from './head.js';
import { about, chips } from './notes.js';
import { Interval } from './interval.js';
import { figure, isSetting, over, short, where } from './words.js';

const PAUSE = 5000;
const POINTS = 1000;

export class CompareView {
  #runs;
  #timer = 0;
  #gone = false;
  #interval = new Interval();
  #urls = [];
  #about = [];

  constructor(runs) {
    this.#runs = runs;
    document.title = 'Compared runs · Hocket';
    this.#interval.onchange = () => this.#draw().catch((e) => this.#say(e));
    this.series = h('select', { id: 'compare-series', 'aria-label': 'Series', onchange: () => this.#interval.follow(1) });
    this.chart = new Chart('compare-chart', 'A series of each run', this.#interval);
    this.log = h('button', { type: 'button', id: 'log-scale', 'aria-pressed': 'false', onclick: () => this.#toggle() }, 'Log scale');
    this.reset = h('button', { type: 'button', id: 'reset-zoom', hidden: true, onclick: () => this.#interval.follow(1) }, 'Show all');
    this.note = h('p', { class: 'hint', role: 'status', id: 'compare-note' }, '');
    this.all = h('input', { type: 'checkbox', id: 'all-settings', onchange: () => this.#filter() });
    this.settings = h('tbody');
    this.same = h('p', { class: 'empty', hidden: true }, 'All settings are equal.');
    this.table = h('table', { id: 'compare-settings' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'setting'), this.#names())), this.settings);
    this.facts = h('tbody');
    this.pictures = h('div', { class: 'side-by-side' });
    this.element = h('div', { class: 'run' },
      h('header', { class: 'head' }, h('div', { class: 'title' },
        h('a', { href: '#/', id: 'all-runs', class: 'back' }, 'Runs'), h('h1', {}, `${runs.length} runs compared`), tools(null))),
      h('main', { id: 'main', tabindex: -1 },
        panel('compare-curves', 'Curves', h('div', { class: 'tools' }, this.series, this.reset, axisTools(this.#interval, () => this.#interval.follow(1)), this.log), this.chart.element, this.note),
        panel('compare-now', 'Where they are', null, h('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Table of where they are' },
          h('table', {}, h('thead', {}, h('tr', {}, h('td', {}), this.#names())), this.facts))),
        panel('compare-differences', 'Settings that differ', h('label', { class: 'check' }, this.all, 'those that are the same, too'),
          this.same, h('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Table of settings' }, this.table)),
        panel('compare-pictures', 'Newest pictures', null, this.pictures)));
    this.repaint = () => this.chart.repaint();
    window.addEventListener('themechange', this.repaint);
    this.#start().catch((e) => this.#say(e));
  }

  destroy() {
    this.#gone = true;
    clearTimeout(this.#timer);
    window.removeEventListener('themechange', this.repaint);
    this.chart.destroy();
    this.#urls.forEach((url) => URL.revokeObjectURL(url));
  }

  #names() {
    return this.#runs.map((run) => h('th', { scope: 'col' },
      h('a', { href: `#/run/${encodeURIComponent(run.id)}` }, h('bdi', {}, run.id))));
  }

  #say(e) {
    say(this.note, e.message);
  }

  #toggle() {
    this.chart.log = !this.chart.log;
    this.log.setAttribute('aria-pressed', String(this.chart.log));
  }

  async #start() {
    this.#tell();
    const lists = await Promise.all(this.#runs.map((run) => get(run.id, 'series')));
    const counts = new Map();
    lists.flatMap((list) => list.series).forEach(({ name }) => counts.set(name, (counts.get(name) ?? 0) + 1));
    const rank = (name) => [-counts.get(name), /loss$/.test(name) ? 0 : /return/.test(name) ? 1 : 2];
    const names = [...counts.keys()].sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1] || a.localeCompare(b));
    this.series.replaceChildren(...names.map((name) => h('option', { value: name },
      counts.get(name) < this.#runs.length ? `${name} (${counts.get(name)} of ${this.#runs.length} runs)` : name)));
    this.#about = await Promise.all(this.#runs.map((run) => about(run.id)));
    this.#tell();
    await Promise.all([this.#draw(), this.#differences(), this.#newest()]);
    this.#later();
  }

  #later() {
    if (!this.#gone && this.#runs.some((run) => !over(run.status))) {
      this.#timer = setTimeout(async () => {
        try {
          const { runs } = await get(null);
          this.#runs = this.#runs.map((run) => runs.find((each) => each.id === run.id) ?? run);
          this.#tell();
          await this.#draw();
        } catch (e) {
          this.#say(e);
        }
        this.#later();
      }, PAUSE);
    }
  }

  async #draw() {
    const name = this.series.value;
    if (!name) {
      say(this.note, 'Nothing has been recorded yet.');
      return;
    }
    const zoom = this.#interval.fixed;
    show(this.reset, zoom !== null);
    const query = { series: name, points: POINTS, ...(zoom && !this.#interval.byTime ? { from: Math.floor(zoom[0]), to: Math.ceil(zoom[1]) } : {}) };
    const answers = await Promise.all(this.#runs.map((run) => get(run.id, 'metrics', query).catch(() => ({ series: {} }))));
    if (this.#gone || name !== this.series.value || zoom !== this.#interval.fixed) {
      return;
    }
    const lines = this.#runs.map((run, i) => {
      const { steps, values, times = [] } = answers[i].series[name] ?? { steps: [], values: [] };
      const figures = values.map(figure);
      const began = times.find((time) => time > 0) ?? 0;
      const xs = this.#interval.byTime ? steps.map((_, at) => Math.max(0, (times[at] ?? 0) - began)) : steps;
      return { key: run.id, label: run.id, colour: i, xs, values: figures, last: figures.at(-1), stairs: isSetting(name, run) };
    });
    const ends = lines.flatMap((line) => (line.xs.length ? [line.xs[0], line.xs.at(-1)] : []));
    if (!zoom) {
      this.#interval.extent = ends.length ? [Math.min(...ends), Math.max(...ends, Math.min(...ends) + 1)] : [0, 1];
    }
    this.chart.says = `${name} of each run`;
    this.chart.draw(lines);
    const without = lines.filter((line) => !line.xs.length).map((line) => line.label);
    say(this.note, without.length ? `Without ${name}: ${without.join(', ')}.` : '');
  }

  #tell() {
    const rows = [
      ['experiment', (run) => run.name],
      ['status', (run) => run.status],
      ['at', (run) => where(run.at)],
      ['done', (run) => (run.done === null || run.done === undefined ? '–' : `${Math.round(100 * run.done)} %`)],
      ['rounds/s', (run) => short(run.rounds_per_second)],
      ['plan', (run) => run.plan ?? '–'],
    ];
    const scores = [...new Set(this.#about.flatMap((each) => Object.keys(each.scores)))];
    const known = (run) => this.#about[this.#runs.indexOf(run)];
    rows.push(...scores.map((name) => [`score ${name}`, (run) => (name in known(run).scores ? short(known(run).scores[name]) : '–')]));
    if (this.#about.some((each) => each.tags.length)) {
      rows.push(['tags', (run) => chips(known(run).tags)]);
    }
    if (this.#about.some((each) => each.note)) {
      rows.push(['note', (run) => known(run).note]);
    }
    this.facts.replaceChildren(...rows.map(([name, of]) => h('tr', {}, h('th', { scope: 'row' }, name),
      this.#runs.map((run) => h('td', {}, of(run))))));
  }

  async #differences() {
    const all = await Promise.all(this.#runs.map((run) => get(run.id, 'experiment').catch(() => null)));
    const keys = [...new Set(all.flatMap((each) => Object.keys(each?.settings ?? {})))]; // in the order of their files
    let differ = 0;
    this.settings.replaceChildren(...keys.map((key) => {
      const values = all.map((each) => (each === null ? null : each.settings[key]));
      const same = values.every((value) => value === values[0]);
      differ += same ? 0 : 1;
      return h('tr', { class: same ? 'same' : 'differs' }, h('th', { scope: 'row' }, h('bdi', {}, key)),
        values.map((value) => h('td', {}, value === null || value === undefined ? '–' : String(value))));
    }));
    this.differ = differ;
    this.#filter();
  }

  #filter() {
    show(this.same, this.differ === 0);
    show(this.table, this.differ > 0 || this.all.checked);
    this.settings.querySelectorAll('.same').forEach((row) => show(row, this.all.checked));
  }

  async #newest() {
    const figures = await Promise.all(this.#runs.map(async (run) => {
      const kind = run.agent ? 'films' : 'samples';
      try {
        const one = (await get(run.id, kind))[kind].at(-1);
        const url = one && await picture(run.id, kind, one.name);
        if (url) {
          this.#urls.push(url);
        }
        return h('figure', {},
          url ? h('img', { src: url, alt: `newest of ${run.id}`, class: 'picture' }) : h('p', { class: 'empty' }, 'none'),
          h('figcaption', {}, h('bdi', {}, run.id), one ? `, ${one.name}` : ''));
      } catch (e) {
        return h('figure', {}, h('p', { class: 'empty' }, e.message), h('figcaption', {}, h('bdi', {}, run.id)));
      }
    }));
    this.pictures.replaceChildren(...figures);
  }
}
