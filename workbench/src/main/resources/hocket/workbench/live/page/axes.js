// What stands along axes, and which point is meant.

import { count } from './words.js';

/** Steps along the axis, all in one unit. */
export function ticks(steps) {
  const most = Math.max(...steps);
  const apart = steps.length > 1 ? steps[1] - steps[0] : most;
  const [unit, name] = most >= 1e6 && apart >= 1e3 ? [1e6, 'M'] : most >= 1e4 && apart >= 10 ? [1e3, 'k'] : [1, ''];
  return steps.map((step) => (unit === 1 ? count(step) : `${+(step / unit).toFixed(3)}${step ? name : ''}`));
}

/** Values along the axis, all with as many digits. */
export function levels(values) {
  const some = values.filter((value) => value !== null && value !== undefined);
  const size = Math.max(...some.map(Math.abs));
  const apart = some.length > 1 ? Math.min(...some.slice(1).map((value, i) => Math.abs(value - some[i]))) : size;
  const digits = Math.max(0, -Math.floor(Math.log10(apart || 1) + 1e-9));
  const even = size < 1e5 && digits <= 4 && some.length > 1 && some.at(-1) / (some[0] || 1) < 1e3;
  return values.map((value) => {
    if (value === null || value === undefined) {
      return '';
    }
    return even ? value.toFixed(digits).replace('-', '−') : String(+value.toPrecision(3)).replace('-', '−');
  });
}

/** The index of the point that is next to an index; null where none is near. */
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

/** The last number in a range of indices; null where there is none. */
export function last(values, range) {
  for (let i = range ? range[1] : values.length - 1; i >= (range ? range[0] : 0); i--) {
    if (values[i] !== undefined && values[i] !== null) {
      return values[i];
    }
  }
  return null;
}
