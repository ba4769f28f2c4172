// One chart by uPlot.

import { last, levels, nearest, ticks } from './axes.js';
import { h, say } from './dom.js';
import { short, count } from './words.js';

const COLOURS = 8;

/** A colour of the style sheet, as the canvas wants it. */
export function colour(name) {
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

const probe = document.createElement('span');

/** Lines over steps, each with its name at its end. */
export class Chart {
  #host;
  #labels;
  #legend;
  #where;
  #stretch;
  #lines = [];
  #hidden = new Set();
  #plot = null;
  #log = false;
  #mark = null;
  #observer;
  #data = null;
  #used = 0;

  /**
   * @param id of the element
   * @param says what is drawn, for those who do not see it
   */
  constructor(id, says, stretch) {
    this.says = says;
    this.#stretch = stretch;
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
   * @param lines each `{key, label, colour: 0…7, steps, values, last, now}`; `now` is newer than the line, if it is there
   * @param mark `{step, value, label}` a point to ring, or null
   */
  draw(lines, mark = null) {
    const same = lines.length === this.#lines.length && lines.every((line, i) => line.key === this.#lines[i].key);
    this.#lines = lines;
    this.#mark = mark;
    if (same && this.#plot && this.#used === this.#room()) {
      this.#data = this.#joined();
      this.#refresh();
    } else {
      this.#legend.replaceChildren(...lines.map((line) => this.#entry(line)));
      this.#rebuild();
    }
    this.#values();
  }

  /** Tells linked charts where the cursor is, once all of them are drawn anew beneath it. */
  link() {
    const plot = this.#plot;
    if (plot?.over.matches(':hover') && plot.cursor.left >= 0 && !plot.select.width) {
      plot.setCursor({ left: plot.cursor.left, top: plot.cursor.top }, true, true);
    }
  }

  #entry(line) {
    const name = h('bdi', {}, line.label);
    const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
    swatch.style.background = `var(--line-${line.colour % COLOURS})`;
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
      h('output', { class: 'value' }, short(line.now ?? line.last)),
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
    const tables = this.#lines.map((line) => [
      line.steps,
      line.values.map((value) => (!Number.isFinite(value) || (this.#log && value <= 0) ? null : value)),
    ]);
    const filled = tables.filter((table) => table[0].length);
    if (!filled.length) {
      return [[], ...tables.map(() => [])];
    }
    const joined = uPlot.join(filled);
    let next = 1;
    return [joined[0], ...tables.map((table) => (table[0].length ? joined[next++] : []))];
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
    const [min, max] = this.#stretch.window();
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
    const room = Math.max(wanted, this.#stretch.rooms.get(width) ?? 0); // so that charts below each other stand in line
    this.#stretch.rooms.set(width, room);
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
        { stroke: ink, grid, ticks: grid, font, size: 28, values: (_, at) => ticks(at), label: 'step', labelSize: 16, labelFont: font, labelGap: 0 },
        { stroke: ink, grid, ticks: grid, font, size: 52, values: (_, at) => levels(at) },
      ],
      cursor: {
        sync: { key: this.#stretch.key, setSeries: false, scales: ['x', null] },
        drag: { x: true, y: false, setScale: false },
        dataIdx: (plot, series, at) => nearest(plot.data[series], at),
        points: { size: 7 },
        bind: { dblclick: () => () => this.#stretch.follow(1) },
      },
      series: [
        {},
        ...this.#lines.map((line) => ({
          label: line.label,
          show: !this.#hidden.has(line.key),
          stroke: colour(`line-${line.colour % COLOURS}`),
          width: 1.5,
          points: { show: line.steps.length < 2, size: 6 },
        })),
      ],
      hooks: {
        setSelect: [(plot) => {
          const { left, width } = plot.select;
          if (width > 4) {
            this.#stretch.zoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
          }
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        setCursor: [() => this.#values()],
        draw: [(plot) => this.#drawn(plot)],
      },
    };
  }

  /** What is at the cursor, or the newest. */
  #values() {
    const plot = this.#plot;
    const at = plot?.cursor.left >= 0 && plot.data[0].length ? plot.posToIdx(plot.cursor.left) : null;
    const values = this.#legend.querySelectorAll('.value');
    this.#lines.forEach((line, i) => {
      const index = at === null ? null : nearest(plot.data[i + 1], at);
      const value = index === null ? null : plot.data[i + 1][index];
      if (values[i]) {
        say(values[i], at === null ? short(line.now ?? line.last) : value === null ? 'no number' : short(value));
      }
    });
    const step = at === null ? undefined : plot.data[0][at];
    say(this.#where, step === undefined ? 'newest' : `at step ${count(step)}`);
    this.#host.setAttribute('aria-label', `${this.says}: ${this.#lines
      .map((line) => `${line.label} ${short(line.last)}`)
      .join(', ')}`);
  }

  /** Names at the ends of lines, and the ring. */
  #drawn(plot) {
    const wide = this.#host.clientWidth >= 560;
    const ends = this.#lines
      .map((line, i) => ({ line, at: last(plot.data[i + 1], plot.series[0].idxs) }))
      .filter(({ line, at }) => at !== null && !this.#hidden.has(line.key))
      .map(({ line, at }) => ({ line, value: this.#stretch.fixed ? at : line.last, top: plot.valToPos(at, 'y') }))
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
      label.style.color = `var(--line-${line.colour % COLOURS})`;
      return label;
    }));
    this.#ring(plot);
  }

  #ring(plot) {
    const mark = this.#mark;
    const [from, to] = [plot.scales.x.min, plot.scales.x.max];
    if (!mark || mark.step < from || mark.step > to) {
      return;
    }
    const { ctx, bbox } = plot;
    const x = plot.valToPos(mark.step, 'x', true);
    const finite = Number.isFinite(mark.value);
    const y = finite ? plot.valToPos(mark.value, 'y', true) : bbox.top;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colour('ink');
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.beginPath();
    if (finite) {
      ctx.arc(x, y, 5 * devicePixelRatio, 0, 2 * Math.PI);
    } else {
      ctx.setLineDash([4, 4]);
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
    }
    ctx.stroke();
    const right = x > bbox.left + bbox.width * 0.7;
    ctx.textAlign = right ? 'right' : 'left';
    ctx.textBaseline = 'middle';
    const away = (right ? -1 : 1) * 9 * devicePixelRatio;
    ctx.fillText(mark.label, x + away, Math.max(y, bbox.top + 10 * devicePixelRatio));
    ctx.restore();
  }
}
