// The tree of parameters by scope: their sizes, and the turns that write them. A selected one shows its histogram.

import { get } from './api.js';
import { folding, h, say, svg } from './dom.js';
import { count, figure, short, where } from './words.js';

const PAUSE = 5000;

/** Up to this number all are shown at first; of more, the outermost scopes. */
const FEW = 40;

export class Parameters {
  #run;
  #timer = 0;
  #paths = '';
  #nodes = new Map();
  #chosen = null;
  #live = true;
  #few = true;

  constructor(run) {
    this.#run = run.id;
    this.note = h('p', { class: 'hint', id: 'parameters-note' }, '');
    this.tree = h('div', { class: 'tree', id: 'parameter-tree' });
    this.histogram = h('div', { id: 'histogram', class: 'histogram', 'aria-live': 'polite' },
      h('p', { class: 'empty' }, 'Choose a parameter to see a histogram of its values.'));
    this.element = folding('parameters', 'Parameters', false, this.note,
      h('div', { class: 'parameters' }, this.tree, this.histogram));
    this.element.addEventListener('toggle', () => this.refresh());
  }

  destroy() {
    this.#live = false;
    clearTimeout(this.#timer);
  }

  /** Once the run is over, nothing changes any more. */
  end() {
    this.#live = false;
  }

  async refresh() {
    clearTimeout(this.#timer);
    if (!this.element.open) {
      return;
    }
    try {
      const { at, parameters } = await get(this.#run, 'parameters');
      this.#draw(parameters);
      say(this.note, `At ${where(at)}. Norm is the root of the sum of squares.`);
      if (this.#chosen) {
        await this.#show(this.#chosen);
      }
    } catch (e) {
      say(this.note, `Parameters: ${e.message}`);
    }
    if (this.#live) {
      this.#timer = setTimeout(() => this.refresh(), PAUSE);
    }
  }

  #draw(parameters) {
    const paths = JSON.stringify(parameters.map((each) => each.path));
    if (paths !== this.#paths) {
      this.#paths = paths;
      this.#build(parameters);
    }
    const sums = new Map();
    for (const each of parameters) {
      const node = this.#nodes.get(each.path);
      say(node.norm, short(each.norm));
      say(node.range, `${short(each.smallest)} … ${short(each.largest)}, mean ${short(each.mean)}`);
      for (const scope of scopes(each.path)) {
        const sum = sums.get(scope) ?? { squares: 0, count: 0, by: new Set() };
        sum.squares += figure(each.norm) ** 2;
        sum.count += each.count;
        each.written_by.forEach((turn) => sum.by.add(turn));
        sums.set(scope, sum);
      }
    }
    for (const [scope, sum] of sums) {
      const node = this.#nodes.get(`${scope}/`);
      say(node.norm, short(Math.sqrt(sum.squares)));
      say(node.size, `${count(sum.count)} values`);
      say(node.by, writers([...sum.by]));
    }
  }

  #build(parameters) {
    this.#nodes.clear();
    this.#few = parameters.length <= FEW;
    this.tree.replaceChildren();
    for (const each of parameters) {
      let inside = this.tree;
      for (const scope of scopes(each.path)) {
        inside = this.#scope(scope, inside);
      }
      inside.append(this.#leaf(each));
    }
  }

  #scope(scope, inside) {
    if (!this.#nodes.has(`${scope}/`)) {
      const node = { norm: cell('norm'), size: cell('size'), by: cell('by') };
      const depth = scope.split('/').length;
      node.element = h('details', { class: 'scope', open: depth < 2 || this.#few },
        h('summary', { class: 'row' }, h('bdi', { class: 'name' }, scope.split('/').at(-1)), node.norm, node.size, node.by));
      this.#nodes.set(`${scope}/`, node);
      inside.append(node.element);
    }
    return this.#nodes.get(`${scope}/`).element;
  }

  #leaf(each) {
    const node = { norm: cell('norm'), range: cell('range') };
    this.#nodes.set(each.path, node);
    node.element = h(
      'button',
      {
        type: 'button',
        class: 'row leaf',
        'data-path': each.path,
        'aria-pressed': String(this.#chosen === each.path),
        onclick: () => this.#choose(each.path),
      },
      h('bdi', { class: 'name' }, each.path.split('/').at(-1)),
      node.norm,
      h('span', { class: 'size' }, `${each.shape.join(' × ') || 'one value'}${each.kind === 'statistic' ? ', statistic' : ''}`),
      h('span', { class: 'by' }, writers(each.written_by)),
      node.range,
    );
    return node.element;
  }

  #choose(path) {
    this.#nodes.get(this.#chosen)?.element.setAttribute('aria-pressed', 'false');
    this.#chosen = path;
    this.#nodes.get(path).element.setAttribute('aria-pressed', 'true');
    this.#show(path);
  }

  async #show(path) {
    try {
      const histogram = await get(this.#run, 'histogram', { path, bins: 40 });
      if (path === this.#chosen) {
        this.histogram.replaceChildren(...bars(histogram));
      }
    } catch (e) {
      this.histogram.replaceChildren(h('p', { class: 'empty' }, h('bdi', {}, path), `: ${e.message}`));
    }
  }
}

function cell(name) {
  return h('span', { class: name });
}

/** All scopes around a parameter, from the outermost to the innermost. */
function scopes(path) {
  const names = path.split('/').slice(0, -1);
  return names.map((_, i) => names.slice(0, i + 1).join('/'));
}

function writers(turns) {
  return turns.length ? `written by ${turns.join(', ')}` : 'written by no turn';
}

function bars({ path, at, edges, counts }) {
  const [width, height] = [400, 140];
  const most = Math.max(1, ...counts);
  const each = width / counts.length;
  const top = counts.indexOf(Math.max(...counts));
  const drawing = svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': `Values of ${path} from ${short(edges[0])} to ${short(edges.at(-1))}; `
        + `most, ${count(counts[top])}, between ${short(edges[top])} and ${short(edges[top + 1])}`,
    },
    counts.map((value, i) => svg('rect', {
      x: i * each + 0.5,
      width: Math.max(0.5, each - 1),
      y: height - (value / most) * height,
      height: (value / most) * height,
      class: 'bar',
    }, svg('title', {}, `${short(edges[i])} … ${short(edges[i + 1])}: ${count(value)}`))),
  );
  return [
    h('h3', {}, h('bdi', {}, path)),
    drawing,
    h('p', { class: 'histogram-axis' }, h('span', {}, short(edges[0])), h('span', {}, short(edges.at(-1)))),
    h('p', { class: 'hint' }, `Highest bar ${count(most)} values. At ${where(at)}.`),
  ];
}
