// The shared state of a run's charts: axis, interval, smoothing, cursor, and the width at the right.

/** The shared horizontal axis of linked charts: the interval shown, its unit, and the smoothing. */
export class Interval {
  /** Called with the interval, or null for all of it. */
  onchange = () => {};

  key = uPlot.sync(`interval-${Interval.made = (Interval.made ?? 0) + 1}`).key;
  fixed = null;
  fraction = 1;
  extent = [0, 1];

  /** Whether the axis counts seconds, or else steps. */
  byTime = false;

  /** The weight of the mean compared with the next value: 0 for none. */
  smoothing = 0;

  /** The space that names at the ends of lines need, by the width of charts. */
  rooms = new Map();

  window() {
    if (this.fixed) {
      return this.fixed;
    }
    const [from, to] = this.extent;
    return [to - (to - from) * this.fraction, to];
  }

  zoom(from, to) {
    this.fixed = to - from > 1e-6 ? [from, to] : this.fixed;
    this.onchange(this.fixed);
  }

  /** The last part of all points, which follows new ones. */
  follow(fraction) {
    this.fraction = fraction;
    this.fixed = null;
    this.onchange(fraction === 1 ? null : this.window());
  }
}
