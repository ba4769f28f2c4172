// Numbers, times and names as people read them.

const whole = new Intl.NumberFormat('en');

/** A received value: a number, a text such as "NaN", or null. */
export function figure(value) {
  return value === null || value === undefined ? null : Number(value);
}

/** A number in few digits; NaN and infinities by name. */
export function short(value) {
  const number = figure(value);
  if (number === null) {
    return '–';
  }
  if (!Number.isFinite(number)) {
    return String(number);
  }
  const size = Math.abs(number);
  if (size !== 0 && (size < 0.001 || (size >= 1e6 && !Number.isInteger(number)) || size >= 1e9)) {
    return plain(Number(number.toPrecision(3)));
  }
  if (Number.isInteger(number)) {
    return count(number);
  }
  return size >= 100 ? number.toFixed(1) : number.toPrecision(3);
}

/** A count in words. */
export function count(value) {
  return value === null || value === undefined ? '–' : whole.format(value);
}

/** A number as in files and in a run's answers: 5e-4, 0.001, 16. */
export function plain(value) {
  if (typeof value !== 'number') {
    return String(value);
  }
  const few = Number(value.toPrecision(6)); // a rate that falls has many digits
  const size = Math.abs(few);
  return (size !== 0 && (size < 0.001 || size >= 1e7) ? few.toExponential() : String(few)).replace('e+', 'e');
}

/** A duration in words. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) {
    return '–';
  }
  if (seconds < 60) {
    return `${Math.max(0, Math.round(seconds))} s`;
  }
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  }
  if (seconds < 48 * 3600) {
    return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
  }
  return `${(seconds / 86400).toFixed(1)} days`;
}

/** Whether a series is a setting of a run: each of its values holds until the next. */
export function isSetting(name, run) {
  return /(^|\/)rate$/.test(name) || Object.hasOwn(run.settings ?? {}, name);
}

/** A time of day, with the date if it is not today. */
export function time(seconds) {
  if (!seconds) {
    return '';
  }
  const date = new Date(seconds * 1000);
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString() : date.toLocaleString();
}

export function bytes(size) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit ? size.toFixed(1) : size} ${units[unit]}`;
}

/** A run's position: "round 600, epoch 1.2, step 1,200". */
export function where(at) {
  if (!at) {
    return '–';
  }
  if (!rounds(at)) {
    return `step ${count(at.step)}`;
  }
  const epoch = at.epoch === null || at.epoch === undefined ? '' : `, epoch ${short(at.epoch)}`;
  return `round ${count(at.round)}${epoch}, step ${count(at.step)}`;
}

/** Whether a run's round is known; a folder has only steps. */
export function rounds(at) {
  return at.round > 0 || !at.step;
}

/** The pieces of a name that may be wrapped after its separators. */
export function breakable(name) {
  return name.split(/(?<=[/_])/);
}

/** Whether a run is over. */
export function over(status) {
  return status === 'ended' || status === 'stopped' || status === 'failed';
}

/** Whether a run has taken its last turn, and is evaluated or saved. */
export function ending(status) {
  return status === 'scoring' || status === 'stopping';
}

/** Whether several processes train a run: then it accepts few commands. */
export function several(run) {
  return Boolean(run.workers?.length);
}

/** The turn of a metric, "d" of "d/loss", and the rest of its name. */
export function parts(series) {
  const at = series.indexOf('/');
  return at < 0 ? { turn: '', what: series } : { turn: series.slice(0, at), what: series.slice(at + 1) };
}
