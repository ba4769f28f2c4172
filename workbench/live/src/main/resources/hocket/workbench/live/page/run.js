// One run: all of its panels, and the stream that updates them.

import { get, Live } from './api.js';
import { Controls } from './controls.js';
import { Curves } from './curves.js';
import { h } from './dom.js';
import { Head } from './head.js';
import { Journal } from './journal.js';
import { Keys } from './keys.js';
import { Notes } from './notes.js';
import { Parameters } from './parameters.js';
import { Pictures } from './samples.js';
import { Series } from './series.js';
import { PlanField, Settings } from './settings.js';
import { Timeline } from './timeline.js';
import { Watched } from './watched.js';
import { ending, over } from './words.js';
import { Workers } from './workers.js';

/** The time between two updates of texts and numbers; nobody reads ten a second. */
const PAUSE = 200;

/** The interval at which a finished run is checked for being resumed. */
const OFTEN = 2000;

/** Statuses to which it may change meanwhile. */
const SHOWN = ['status', 'failure', 'can_go_on'];

/** Values of the run in each tick, and those in some ticks: null means unchanged. */
const EACH = ['at', 'status', 'place', 'done', 'rounds_per_second', 'seconds_left'];
const SOME = ['turn', 'phase', 'counts', 'settings', 'plan', 'workers'];

export class RunView {
  #run;
  #timer = 0;
  #live = null;
  #first = true;
  #serving;
  #again;
  #gone = false;
  #later = 0;

  /**
   * @param serving its server: a `process` ends with its run, one of the folder of a `run` or of `runs` stays
   * @param again reloads it after it is resumed
   */
  constructor(run, serving, again) {
    this.#run = run;
    this.#serving = serving;
    this.#again = again;
    const tell = (message, wrong) => this.head.tell(message, wrong);
    this.controls = new Controls(run, tell, again);
    this.keys = new Keys({
      ' ': () => this.controls.toggle(),
      t: () => this.controls.step('turn'),
      r: () => this.controls.step('round'),
      s: () => this.controls.save(),
    });
    this.head = new Head(run, this.controls, serving === 'runs', this.keys.open);
    this.series = new Series(run.id);
    this.curves = new Curves(run, this.series);
    this.watched = new Watched(run, this.series);
    this.curves.ondrawn = () => this.watched.update();
    this.notes = new Notes(run);
    this.timeline = new Timeline(run, (turn) => this.curves.colour(turn));
    this.workers = new Workers(run);
    this.pictures = [];
    if (run.has_films || run.agent) {
      this.films = this.#pictures('films');
    }
    if (run.has_samples || !run.agent) {
      this.samples = this.#pictures('samples');
    }
    this.settings = new Settings(run, tell);
    this.plan = new PlanField(run, tell);
    this.parameters = new Parameters(run);
    this.journal = new Journal(run, run.can_be_steered ? (step) => this.controls.openFork(step) : null);
    this.element = h('div', { class: 'run' },
      this.head.element,
      h('main', { id: 'main', tabindex: -1 },
        run.summary ? h('p', { class: 'summary' }, run.summary, run.budget ? `. Budget: ${run.budget}.` : '') : null,
        this.timeline.element,
        this.workers.element,
        h('div', { class: 'columns' },
          h('div', { class: 'large' }, this.watched.element, this.curves.element, this.parameters.element),
          h('div', { class: 'side' }, this.pictures.map((each) => each.element), this.settings.element, this.plan.element, this.notes.element)),
        this.journal.element),
      this.controls.dialogs,
      this.keys.dialog);
    this.#start();
  }

  destroy() {
    this.#gone = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#later);
    this.#live?.close();
    [this.series, this.curves, this.parameters, this.journal, this.keys, ...this.pictures]
      .forEach((part) => (part.destroy ?? part.close).call(part));
  }

  #pictures(kind) {
    const pictures = new Pictures(this.#run.id, kind);
    this.pictures.push(pictures);
    return pictures;
  }

  #start() {
    this.#refresh();
    if (this.#run.live) {
      this.#live = new Live(this.#run.id, {
        hello: (run) => this.#hello(run),
        tick: (tick) => this.#tick(tick),
        skipped: () => this.#try(this.series.catchUp()),
        end: (end) => this.#end(end),
        connection: (state, seconds) => {
          this.head.connected(state, seconds);
          this.controls.lost = state === 'lost' || state === 'connecting';
          this.controls.update(this.#run);
        },
      });
    } else {
      this.head.connected('over');
      if (over(this.#run.status)) {
        this.head.ended(this.#run, this.#run.failure);
      }
      this.parameters.end();
      this.#await();
    }
  }

  /** Checks from time to time whether another process resumed the run, if the server is still there. */
  #await() {
    if (this.#gone || this.#serving === 'process') {
      return;
    }
    this.#later = setTimeout(async () => {
      try {
        const run = await get(this.#run.id);
        if (this.#gone) {
          return;
        }
        if (run.live && !over(run.status)) {
          this.#again();
          return;
        }
        if (SHOWN.some((name) => run[name] !== this.#run[name])) {
          Object.assign(this.#run, run);
          this.#now();
          this.head.ended(this.#run, this.#run.failure);
        }
      } catch {
        // the next attempt follows
      }
      this.#await();
    }, OFTEN);
  }

  /** Asks for all that ticks only add to. */
  #refresh() {
    [
      this.series.catchUp(),
      this.timeline.refresh(),
      this.journal.refresh(),
      this.parameters.refresh(),
      this.notes.refresh(),
      this.settings.order(),
      ...this.pictures.map((each) => each.refresh()),
    ].forEach((each) => this.#try(each));
  }

  /** Shows the error of a failed request; the next connection repeats the request. */
  #try(work) {
    work.catch((e) => this.head.tell(e.message, true));
  }

  #hello(run) {
    Object.assign(this.#run, run);
    if (!this.#first) {
      this.#refresh();
    }
    this.#first = false;
    this.#soon();
  }

  #tick(tick) {
    const planned = (tick.plan ?? this.#run.plan) !== this.#run.plan;
    EACH.forEach((name) => (this.#run[name] = tick[name]));
    SOME.forEach((name) => (this.#run[name] = tick[name] ?? this.#run[name]));
    this.series.take(tick.series ?? {});
    this.series.turned(over(tick.status) || ending(tick.status) ? {} : tick.last ?? {});
    this.journal.take(tick);
    if (tick.samples) {
      this.#try(this.samples?.refresh() ?? Promise.resolve());
    }
    this.samples?.look(tick.drawn);
    if (tick.film) {
      this.#try(this.films?.refresh() ?? Promise.resolve());
    }
    if (planned) {
      this.#try(this.timeline.refresh());
    }
    this.#soon();
  }

  async #end({ status, message }) {
    Object.assign(this.#run, { status, live: false, can_be_steered: false, rounds_per_second: null, seconds_left: null });
    this.#now();
    this.head.ended(this.#run, message);
    this.parameters.end();
    if (this.#gone) {
      return;
    }
    try {
      Object.assign(this.#run, await get(this.#run.id));
      this.#now();
      this.#refresh();
    } catch {
      // the server has gone with it
    }
    this.#await();
  }

  #soon() {
    if (!this.#timer) {
      this.#timer = setTimeout(() => this.#now(), PAUSE);
    }
  }

  #now() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.head.update(this.#run);
    this.controls.update(this.#run);
    this.timeline.update(this.#run);
    this.workers.update(this.#run);
    this.settings.update(this.#run);
    this.plan.update(this.#run);
  }
}
