// Marks of axes, and the point under the cursor.

import { count, duration, plain } from './words.js';

/** Steps along the axis, all in one unit. */
export function ticks(steps) {
  const most = Math.max(...steps);
  const apart = steps.length > 1 ? steps[1] - steps[0] : most;
  const [unit, name] = most >= 1e6 && apart >= 1e3 ? [1e6, 'M'] : most >= 1e4 && apart >= 10 ? [1e3, 'k'] : [1, ''];
  return steps.map((step) => (unit === 1 ? count(step) : `${+(step / unit).toFixed(3)}${step ? name : ''}`));
}

/** Intervals of marks in seconds. */
export const SECONDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 21600, 43200,
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((days) => days * 86400)];

/** Seconds along the axis: "40 s", "2 min", "1 h 30 min". */
export function spans(seconds) {
  return seconds.map((each) => duration(each).replace(/ (0 s|0 min)$/, ''));
}

/** Values along the axis, all with as many digits. */
export function levels(values) {
  const some = values.filter((value) => value !== null && value !== undefined);
  const size = Math.max(...some.map(Math.abs));
  const apart = some.length > 1 ? Math.min(...some.slice(1).map((value, i) => Math.abs(value - some[i]))) : size;
  const exact = (digits) => some.every((value) => Math.abs(Number(value.toFixed(digits)) - value) < 1e-6 * apart);
  let digits = 0;
  while (digits < 5 && !exact(digits)) {
    digits++; // 0.25 and 0.5 have two each
  }
  const even = size < 1e5 && digits <= 4 && some.length > 1 && some.at(-1) / (some[0] || 1) < 1e3;
  return values.map((value) => {
    if (value === null || value === undefined) {
      return '';
    }
    return even ? value.toFixed(digits): plain(+value.toPrecision(3));
  });
}

/**
 * The exponential moving average of values with this weight; a value that is not a number
 * stays, and does not count.
 */
export function smoothed(values, weight) {
  let mean = 0;
  let total = 0;
  return values.map((value) => {
    if (!Number.isFinite(value)) {
      return value;
    }
    mean = weight * mean + (1 - weight) * value;
    total = weight * total + 1 - weight;
    return mean / total;
  });
}

/** The index of the point nearest to an index; null if none is near. */
export function nearest(values, at) {
  for (let away = 0; away < 400; away++) {
    if (values[at - away] !== undefined) {
      return at - away;
    }
    if (values[at + away] !== undefined) {
      return at + away;
    }
  }
  return null;
}

/** The last number in a range of indices; null if there is none. */
export function last(values, range) {
  for (let i = range ? range[1] : values.length - 1; i >= (range ? range[0] : 0); i--) {
    if (values[i] !== undefined && values[i] !== null) {
      return values[i];
    }
  }
  return null;
}
