// The server's API: answers, commands, pictures and the live stream.

const KEY = 'hocket-token';

/** The server rejected a request; the message is for people. */
export class Refused extends Error {
  constructor(status, message, key) {
    super(message);
    this.status = status;
    this.key = key;
  }
}

/** The server did not answer. */
export class Unreachable extends Error {}

let held = null;

/** Moves the token from the address to the session storage, so that it is not visible on the screen. */
export function takeToken() {
  const found = /^#(?:.*&)?token=([^&]+)/.exec(location.hash);
  if (found) {
    held = decodeURIComponent(found[1]);
    try {
      sessionStorage.setItem(KEY, held);
    } catch {
      // without storage it lasts until the page is reloaded
    }
    history.replaceState(null, '', location.pathname + location.search);
  }
  try {
    held ??= sessionStorage.getItem(KEY);
  } catch {
    // as above
  }
  return held;
}

function address(run, ...rest) {
  return ['api/runs', ...(run === null ? [] : [run]), ...rest.map(String)]
    .map((part, i) => (i ? encodeURIComponent(part) : part))
    .join('/');
}

async function ask(path, options = {}) {
  if (!held) {
    tokenIsWrong();
    throw new Refused(401, 'there is no token', null);
  }
  let response;
  try {
    response = await fetch(path, {
      ...options,
      cache: 'no-store',
      headers: { ...options.headers, Authorization: `Bearer ${held}` },
    });
  } catch (e) {
    if (e.name === 'AbortError') {
      throw e;
    }
    throw new Unreachable('the run does not answer');
  }
  if (!response.ok) {
    const body = await response.json().catch(() => ({}));
    const message = body.error?.message ?? `the server answered ${response.status}`;
    if (response.status === 401 || response.status === 403) {
      tokenIsWrong();
    }
    throw new Refused(response.status, message, body.error?.key ?? null);
  }
  return response;
}

function tokenIsWrong() {
  window.dispatchEvent(new Event('tokenwrong'));
}

/** Gets an answer: `get('digits-gan', 'metrics', {series: ['d/loss'], from: 0})`; of all runs if `run` is null. */
export async function get(run, what = null, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    [value].flat().forEach((each) => search.append(name, each));
  }
  const path = what === null ? address(run) : address(run, what);
  return (await ask(search.size ? `${path}?${search}` : path)).json();
}

/** Fetches a picture and returns its object URL; the caller releases it with `URL.revokeObjectURL`. */
export async function picture(run, kind, name) {
  return URL.createObjectURL(await (await ask(address(run, kind, name))).blob());
}

/** A UUID; `crypto.randomUUID` exists on secure addresses only. */
function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

async function post(path, body) {
  const response = await ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Sends a command to a run. */
export function command(run, body) {
  return post(address(run, 'commands'), { id: fresh(), ...body });
}

/** The commands of runs, each as a JSON schema with `title` and `description`. */
export async function commands() {
  return (await (await ask('openapi.json')).json()).components.schemas.Command.oneOf;
}

/** Stores tags and a note of a run. */
export function note(run, body) {
  return post(address(run, 'about'), body);
}

/** The experiments that can be started here. */
export async function experiments() {
  return (await (await ask('api/experiments')).json()).experiments;
}

/** Starts a run in a process of its own: a new one, or, if `run` is not null, a stopped one. */
export function start(run, body = {}) {
  return post(run === null ? address(null) : address(run, 'start'), body);
}

/**
 * The live stream of a run, which reconnects by itself.
 *
 * `on.hello(run)`, `on.tick(tick)`, `on.skipped()` if ticks are missing, `on.end(end)`, and
 * `on.connection(state, seconds)` with `connecting`, `live`, `lost` (the next attempt is in `seconds`) or `over`.
 */
export class Live {
  #run;
  #on;
  #socket = null;
  #timer = 0;
  #wait = 0.5;
  #tick = null;
  #over = false;

  constructor(run, on) {
    this.#run = run;
    this.#on = on;
    this.#open();
  }

  close() {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #open() {
    const url = new URL(address(this.#run, 'live'), location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.hash = '';
    this.#tick = null;
    const socket = new WebSocket(url, ['hocket.v1', `token.${held}`]);
    this.#socket = socket;
    socket.onmessage = (message) => this.#take(JSON.parse(message.data));
    socket.onclose = () => this.#lost();
  }

  #take(message) {
    if (this.#over) {
      return;
    }
    if (message.kind === 'hello') {
      this.#wait = 0.5;
      this.#on.connection('live');
      this.#on.hello(message.run);
    } else if (message.kind === 'tick') {
      const skipped = this.#tick !== null && message.tick > this.#tick + 1;
      this.#tick = message.tick;
      if (skipped) {
        this.#on.skipped(); // first, so that missing ticks are requested from their start
      }
      this.#on.tick(message);
    } else if (message.kind === 'end') {
      this.#finish(message);
    }
  }

  #finish(end) {
    this.#over = true;
    this.#on.connection('over');
    this.#on.end(end);
  }

  #lost() {
    if (this.#over) {
      return;
    }
    this.#on.connection('lost', this.#wait);
    this.#timer = setTimeout(() => this.#again(), this.#wait * 1000);
    this.#wait = Math.min(this.#wait * 2, 15);
  }

  /** Asks before it opens: only an answer says whether the run is gone, over, or wants another token. */
  async #again() {
    this.#on.connection('connecting');
    try {
      const run = await get(this.#run);
      if (this.#over) {
        return;
      }
      if (run.live) {
        this.#open();
      } else {
        this.#finish({ status: run.status, message: run.failure ?? '' });
      }
    } catch (e) {
      if (e instanceof Refused && e.status === 404) {
        this.#finish({ status: 'stopped', message: e.message });
      } else if (!(e instanceof Refused && e.status === 401)) {
        this.#lost();
      }
    }
  }
}
