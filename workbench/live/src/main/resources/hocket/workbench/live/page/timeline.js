// A round of the plan as its turns in time, with a mark on the current turn and the counts of all.

import { get } from './api.js';
import { h, panel, say } from './dom.js';
import { stepsOf, formOf } from './plans.js';
import { count } from './words.js';

const KINDS = { descend: 'descends', follow: 'follows', act: 'acts' };
const MOST = 60;

/** The largest number of moves of the mark a second: below three, since flashing is harmful. */
const MARKS = 2;

export class Timeline {
  #run;
  #marked = 0;
  #chips = [];
  #counts = new Map();

  constructor(run, colour) {
    this.#run = run;
    this.colour = colour;
    this.text = h('code', { id: 'plan' });
    this.now = h('p', { id: 'turn-now', class: 'now' }, '');
    this.list = h('ol', { class: 'turns', id: 'timeline', 'aria-label': 'Turns of a round' });
    this.element = panel('plan-panel', 'A round of the plan', this.text, this.now, this.list);
    say(this.text, run.plan ?? '');
  }

  /** Requests and draws the plan; only the turns if it is not available. */
  async refresh() {
    let steps = this.#run.turns.map((turn) => ({ turns: [turn.name] }));
    try {
      const facts = await get(this.#run.id, 'plan');
      const interval = facts.next.find((each) => each.phase === this.#run.phase) ?? facts.next[0];
      const form = formOf(this.#run.plan ?? '', this.#run.turns.map((turn) => turn.name));
      if (form !== null) {
        steps = stepsOf(form); // it may have been swapped since
      } else if (interval?.beats.length) {
        const first = interval.beats[0].round;
        steps = interval.beats.filter((step) => step.round === first);
      }
    } catch {
      // the turns alone
    }
    this.#draw(steps);
    this.update(this.#run, true);
  }

  #draw(steps) {
    const kinds = new Map(this.#run.turns.map((turn) => [turn.name, KINDS[turn.kind] ?? turn.kind]));
    const groups = [];
    for (const step of steps) {
      const key = JSON.stringify([step.turns, step.ahead ?? 0, step.back ?? false]);
      if (groups.at(-1)?.key === key) {
        groups.at(-1).times++;
      } else {
        groups.push({ key, step, times: 1 });
      }
    }
    this.#counts.clear();
    this.#chips = groups.slice(0, MOST).map((group) => this.#chip(group, kinds));
    this.list.replaceChildren(
      ...this.#chips.map((chip) => chip.element),
      ...(groups.length > MOST ? [h('li', { class: 'rest' }, `and ${groups.length - MOST} more`)] : []),
    );
  }

  #chip({ step, times }, kinds) {
    const state = h('span', { class: 'state' });
    const element = h('li', { class: 'turn' });
    step.turns.forEach((name, i) => {
      const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = `var(--line-${this.colour(name) % 8})`;
      const counted = h('span', { class: 'count' });
      this.#counts.set(name, [...(this.#counts.get(name) ?? []), counted]);
      element.append(
        ...(i ? [h('span', { class: 'together' }, 'together with')] : []),
        h('span', { class: 'turn-name' }, swatch, h('bdi', {}, name), times > 1 ? ` × ${count(times)}` : ''),
        h('span', { class: 'kind' }, kinds.get(name) ?? ''),
        counted,
      );
    });
    if (step.ahead) {
      element.append(h('span', { class: 'kind' }, 'on trial'));
    } else if (step.back) {
      element.append(h('span', { class: 'kind' }, 'from where the trial began'));
    }
    element.append(state);
    return { element, state, turns: step.turns };
  }

  /** @param always whether to move the mark even if it was moved just now */
  update(run, always = false) {
    this.#run = run;
    say(this.text, run.plan ?? '');
    for (const [name, places] of this.#counts) {
      const taken = run.counts?.[name];
      places.forEach((place) => say(place, taken === undefined ? '' : `${count(taken)} taken`));
    }
    const turn = run.turn ?? run.place?.split(' ')[0];
    const phase = run.phase ? `Phase ${run.phase}. ` : '';
    const still = run.status !== 'training';
    say(this.now, turn ? `${phase}${still ? 'At' : 'Now'}: ${(run.place ?? turn).replace(/\d{4,}/g, (digits) => count(Number(digits)))}` : phase);
    const time = performance.now();
    if (!always && !still && time - this.#marked < 1000 / MARKS) {
      return;
    }
    this.#marked = time;
    const word = { training: 'playing', scoring: 'scoring', stopping: 'saving' }[run.status] ?? 'taken last';
    let found = false;
    for (const chip of this.#chips) {
      const here = !found && chip.turns.includes(turn);
      found ||= here;
      chip.element.classList.toggle('playing', here);
      if (here) {
        chip.element.setAttribute('aria-current', 'step');
      } else {
        chip.element.removeAttribute('aria-current');
      }
      say(chip.state, here ? word : '');
    }
  }
}
