// The page: reads its token, and shows the run, the list of runs, or a comparison, depending on the address.

import { get, Refused, takeToken } from './api.js';
import { CompareView } from './compare.js';
import { h } from './dom.js';
import { tools } from './head.js';
import { RunsView } from './runs.js';
import { RunView } from './run.js';

const app = document.getElementById('app');
let view = null;
let turn = 0;

/** A page with one sentence on it. */
function sentence(id, title, ...text) {
  document.title = `${title} · Hocket`;
  put({
    element: h('div', { class: 'run' },
      h('header', { class: 'head' }, h('div', { class: 'title' }, h('h1', {}, 'Hocket'), tools(null))),
      h('main', { id: 'main', tabindex: -1, class: 'sentence' }, h('section', { class: 'panel', id, role: 'alert' }, h('h2', {}, title), h('p', {}, ...text)))),
    destroy() {},
  });
}

function put(next) {
  view?.destroy();
  view = next;
  app.replaceChildren(next.element);
}

/** Reads the part of the address after #. */
function route() {
  const [kind, ...ids] = location.hash.replace(/^#\/?/, '').split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { kind, ids };
}

async function show() {
  const mine = ++turn;
  let runs;
  let serving;
  try {
    ({ runs, serving } = await get(null));
  } catch (e) {
    if (mine === turn && !(e instanceof Refused && e.status === 401)) {
      sentence('no-answer', 'The run does not answer', 'Trying again. If it has ended, ', h('code', {}, 'hocket serve FOLDER'), ' shows its files.');
      setTimeout(() => mine === turn && show(), 3000);
    }
    return;
  }
  if (mine !== turn) {
    return;
  }
  const { kind, ids } = route();
  const chosen = ids.map((id) => runs.find((run) => run.id === id)).filter(Boolean);
  if (kind === 'compare' && chosen.length > 1) {
    put(new CompareView(chosen));
  } else if (kind === 'run' && chosen.length) {
    put(new RunView(chosen[0], serving, show));
  } else if (kind === 'run') {
    sentence('no-run', 'There is no such run', h('a', { href: '#/' }, 'All runs that there are'));
  } else if (runs.length === 1 && serving !== 'runs') {
    put(new RunView(runs[0], serving, show));
  } else {
    put(new RunsView(runs, serving));
  }
  window.scrollTo(0, 0);
}

window.addEventListener('tokenwrong', () => {
  turn++;
  sentence('token-missing', 'This page needs its token', 'Open the address that ', h('code', {}, 'hocket run … --serve'), ', or ', h('code', {}, 'hocket serve'), ', printed: the token is at its end.');
});
window.addEventListener('hashchange', () => {
  if (location.hash.includes('token=')) {
    takeToken();
  }
  if (location.hash !== '#main') {
    show();
  }
});
document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main')?.focus();
});

takeToken();
show();
