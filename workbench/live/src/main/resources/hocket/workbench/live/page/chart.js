// One chart by uPlot.

import { last, levels, nearest, SECONDS, smoothed, spans, ticks } from './axes.js';
import { h, say } from './dom.js';
import { short, count, duration } from './words.js';

const COLOURS = 8;

/** The dashes of the first eight lines, the next eight, and so on, in pixels. */
const DASHES = [[], [8, 4], [2, 3], [9, 3, 2, 3]];

/** The colour of a line in the style sheet. */
function lineColour(line) {
  return `line-${line.colour % COLOURS}`;
}

function dashes(line) {
  return DASHES[Math.floor(line.colour / COLOURS) % DASHES.length];
}

/** A colour of the style sheet in the canvas's form. */
export function colour(name) {
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

const probe = document.createElement('span');

/** The width of an axis's numbers, with a minimum so that charts below each other are aligned. */
function room(texts) {
  return Math.max(52, 22 + 7 * Math.max(0, ...(texts ?? []).map((text) => text.length)));
}

/** The opacity of a curve below its mean. */
const FAINT = 0.3;

/** A curve of fewer points is drawn without a mean. */
const FEW = 4;

/** Lines over steps or time, each with its name at its end. */
export class Chart {
  #host;
  #labels;
  #legend;
  #where;
  #interval;
  #lines = [];
  #hidden = new Set();
  #plot = null;
  #log = false;
  #observer;
  #data = null;
  #used = 0;
  #drawnBy = '';

  /**
   * @param id of the element
   * @param says a description for screen readers
   */
  constructor(id, says, interval) {
    this.says = says;
    this.#interval = interval;
    this.#host = h('div', { class: 'plot', role: 'img', 'aria-label': says });
    this.#labels = h('div', { class: 'line-labels', 'aria-hidden': 'true' });
    this.#legend = h('div', { class: 'legend', role: 'group', 'aria-label': `Lines of: ${says}` });
    this.#where = h('p', { class: 'cursor-at' }, ' ');
    this.element = h('div', { class: 'chart', id }, h('div', { class: 'legend-row' }, this.#legend, this.#where), this.#host);
    this.#observer = new ResizeObserver(() => this.#fit());
    this.#observer.observe(this.#host);
  }

  destroy() {
    this.#observer.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
  }

  get log() {
    return this.#log;
  }

  set log(log) {
    this.#log = log;
    this.#rebuild();
  }

  /** After the theme changed. */
  repaint() {
    this.#rebuild();
  }

  /**
   * Draws.
   *
   * @param lines each `{key, label, colour, xs, values, last, now, stairs}`; `now` is what the last turn reported, if that is
   *   known; of `stairs` each value holds until the next; `colour` counts: after eight, the colours return with dashes
   */
  draw(lines) {
    lines.forEach((line) => {
      line.mean = this.#isSmoothed(line) ? smoothed(line.values, this.#interval.smoothing) : line.values;
      line.last = line.mean === line.values ? line.last : line.mean.findLast(Number.isFinite);
    });
    const by = `${this.#interval.byTime} ${this.#interval.smoothing > 0} ${lines.map((line) => line.xs.length < 2)}`;
    const same = by === this.#drawnBy && lines.length === this.#lines.length && lines.every((line, i) => line.key === this.#lines[i].key);
    this.#lines = lines;
    this.#drawnBy = by;
    if (same && this.#plot && this.#used === this.#room()) {
      this.#data = this.#joined();
      this.#refresh();
    } else {
      this.#legend.replaceChildren(...lines.map((line) => this.#entry(line)));
      this.#rebuild();
    }
    this.#values();
  }

  /** Shows the cursor's position in linked charts after all of them are redrawn. */
  link() {
    const plot = this.#plot;
    if (plot?.over.matches(':hover') && plot.cursor.left >= 0 && !plot.select.width) {
      plot.setCursor({ left: plot.cursor.left, top: plot.cursor.top }, true, true);
    }
  }

  #entry(line) {
    const name = h('bdi', {}, line.label);
    const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
    const [on, off] = dashes(line);
    const ink = `var(--${lineColour(line)})`;
    swatch.style.background = on ? `repeating-linear-gradient(90deg, ${ink} 0 ${on}px, transparent 0 ${on + off}px)` : ink;
    return h(
      'button',
      {
        type: 'button',
        class: 'line',
        'data-series': line.key,
        'aria-pressed': String(!this.#hidden.has(line.key)),
        title: 'Show or hide this line',
        onclick: (event) => this.#toggle(line.key, event.currentTarget),
      },
      swatch,
      name,
      h('output', { class: 'value', title: 'the newest point of the curve' }),
      h('span', { class: 'turn-value', title: 'what the last turn reported' }),
    );
  }

  #toggle(key, button) {
    if (!this.#hidden.delete(key)) {
      this.#hidden.add(key);
    }
    button.setAttribute('aria-pressed', String(!this.#hidden.has(key)));
    this.#rebuild();
  }

  /** Lines on common steps: undefined where a line has no point there, null where it has a gap. */
  #joined() {
    const tables = [
      ...this.#lines.map((line) => [line.xs, this.#shown(line.mean)]),
      ...this.#faint().map((line) => [line.xs, this.#shown(line.values)]),
    ];
    const filled = tables.filter((table) => table[0].length);
    if (!filled.length) {
      return [[], ...tables.map(() => [])];
    }
    const joined = uPlot.join(filled);
    let next = 1;
    return [joined[0], ...tables.map((table) => (table[0].length ? joined[next++] : []))];
  }

  #shown(values) {
    return values.map((value) => (!Number.isFinite(value) || (this.#log && value <= 0) ? null : value));
  }

  #isSmoothed(line) {
    return this.#interval.smoothing > 0 && !line.stairs && line.xs.length >= FEW;
  }

  /** The lines that are seen as they are, too, below their means. */
  #faint() {
    return this.#lines.filter((line) => this.#isSmoothed(line));
  }

  #fit() {
    if (this.#plot) {
      this.#plot.setSize(this.#size());
    } else if (this.#lines.length) {
      this.#rebuild();
    }
  }

  #size() {
    return { width: Math.max(200, this.#host.clientWidth), height: Math.max(120, this.#host.clientHeight) };
  }

  #rebuild() {
    this.#plot?.destroy();
    this.#plot = null;
    if (!this.#lines.length || !this.#host.isConnected || !this.#host.clientWidth) {
      return;
    }
    this.#data = this.#joined();
    this.#plot = new uPlot(this.#options(), this.#data, this.#host);
    this.#plot.over.append(this.#labels);
    this.#refresh();
  }

  #refresh() {
    const [min, max] = this.#interval.window();
    this.#plot.batch(() => {
      this.#plot.setData(this.#data, false);
      this.#plot.setScale('x', { min, max });
    });
  }

  /** The width that names at the ends of lines take. */
  #room() {
    const width = this.#host.clientWidth;
    const longest = Math.max(...this.#lines.map((line) => line.label.length + (width < 560 ? 0 : 7)));
    const wanted = Math.max(16, Math.floor(Math.min(longest * 7.5 + 14, width * (width < 560 ? 0.16 : 0.22))));
    const room = Math.max(wanted, this.#interval.rooms.get(width) ?? 0); // so that charts below each other stand in line
    this.#interval.rooms.set(width, room);
    return room;
  }

  #options() {
    const ink = colour('muted');
    const grid = { stroke: colour('grid'), width: 1 };
    const font = '12px system-ui, sans-serif';
    this.#used = this.#room();
    this.#labels.style.setProperty('--room', `${this.#used}px`);
    return {
      ...this.#size(),
      legend: { show: false },
      padding: [8, this.#used, 0, 0],
      scales: { x: { time: false }, y: { distr: this.#log ? 3 : 1 } },
      axes: [
        {
          stroke: ink, grid, ticks: grid, font, size: 28, labelSize: 16, labelFont: font, labelGap: 0, space: 64,
          ...(this.#interval.byTime
            ? { values: (_, at) => spans(at), incrs: SECONDS, label: 'time since the first point' }
            : { values: (_, at) => ticks(at), label: 'step' }),
        },
        { stroke: ink, grid, ticks: grid, font, size: (_, texts) => room(texts), values: (_, at) => levels(at) },
      ],
      cursor: {
        sync: { key: this.#interval.key, setSeries: false, scales: ['x', null] },
        drag: { x: true, y: false, setScale: false },
        dataIdx: (plot, series, at) => nearest(plot.data[series], at),
        points: { size: 7 },
        bind: { dblclick: () => () => this.#interval.follow(1) },
      },
      series: [
        {},
        ...this.#lines.map((line) => ({
          label: line.label,
          show: !this.#hidden.has(line.key),
          stroke: colour(lineColour(line)),
          width: 1.5,
          dash: dashes(line),
          points: { show: line.xs.length < 2, size: 6 },
          ...(line.stairs ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
        })),
        ...this.#faint().map((line) => ({
          label: line.label,
          show: !this.#hidden.has(line.key),
          stroke: colour(lineColour(line)),
          alpha: FAINT,
          width: 1,
          points: { show: false },
        })),
      ],
      hooks: {
        setSelect: [(plot) => {
          const { left, width } = plot.select;
          if (width > 4) {
            this.#interval.zoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
          }
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        setCursor: [() => this.#values()],
        draw: [(plot) => this.#drawn(plot)],
      },
    };
  }

  /** Shows the values at the cursor, or the newest ones. */
  #values() {
    const plot = this.#plot;
    const at = plot?.cursor.left >= 0 && plot.data[0].length ? plot.posToIdx(plot.cursor.left) : null;
    const values = this.#legend.querySelectorAll('.value');
    const turns = this.#legend.querySelectorAll('.turn-value');
    this.#lines.forEach((line, i) => {
      const index = at === null ? null : nearest(plot.data[i + 1], at);
      const value = index === null ? null : plot.data[i + 1][index];
      if (values[i]) {
        say(values[i], at === null ? short(line.last) : value === null ? 'no number' : short(value));
        say(turns[i], at === null && line.now !== null && line.now !== undefined ? `turn ${short(line.now)}` : '');
      }
    });
    const place = at === null ? undefined : plot.data[0][at];
    say(this.#where, place === undefined ? 'newest points' : this.#interval.byTime ? `at ${duration(place)}` : `at step ${count(place)}`);
    this.#host.setAttribute('aria-label', `${this.says}: ${this.#lines
      .map((line) => `${line.label} ${short(line.last)}`)
      .join(', ')}`);
  }

  /** Names at the ends of lines. */
  #drawn(plot) {
    const wide = this.#host.clientWidth >= 560;
    const ends = this.#lines
      .map((line, i) => ({ line, at: last(plot.data[i + 1], plot.series[0].idxs) }))
      .filter(({ line, at }) => at !== null && !this.#hidden.has(line.key))
      .map(({ line, at }) => ({ line, value: this.#interval.fixed ? at : line.last, top: plot.valToPos(at, 'y') }))
      .sort((a, b) => a.top - b.top);
    const height = plot.over.clientHeight;
    let free = -8;
    for (const end of ends) {
      end.top = Math.max(end.top, free);
      free = end.top + 17;
    }
    let most = height;
    for (const end of ends.slice().reverse()) {
      end.top = Math.min(end.top, most);
      most = end.top - 17;
    }
    this.#labels.replaceChildren(...ends.map(({ line, value, top }) => {
      const label = h('span', {}, h('bdi', {}, line.label), wide ? ` ${short(value)}` : '');
      label.style.top = `${top}px`;
      label.style.color = `var(--${lineColour(line)})`;
      return label;
    }));
  }
}
