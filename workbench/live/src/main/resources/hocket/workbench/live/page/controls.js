// The commands of a run, and whether they are possible now.

import { command, get, start } from './api.js';
import { Commands } from './commands.js';
import { dialog, h, say, show } from './dom.js';
import { ending, over, several, time, count } from './words.js';

export class Controls {
  #run;
  #busy = false;

  /**
   * @param tell shows the run's answer: `tell(message, wrong)`
   * @param again reloads the run after it is resumed
   */
  constructor(run, tell, again) {
    this.#run = run;
    this.tell = tell;
    this.again = again;
    const button = (id, text, key, act, more = {}) => h('button', {
      type: 'button',
      id,
      'aria-keyshortcuts': key,
      'aria-describedby': 'controls-why',
      onclick: act,
      ...more,
    }, text);
    this.pause = button('pause', 'Pause', 'Space', () => this.toggle(), { class: 'main' });
    this.on = button('go-on', 'Continue', null, () => this.#goOn(), { class: 'main' });
    this.turn = button('step-turn', 'Step turn', 'T', () => this.step('turn'));
    this.round = button('step-round', 'Step round', 'R', () => this.step('round'));
    this.saving = button('save', 'Save', 'S', () => this.save());
    this.fork = button('fork', 'Fork…', null, () => this.openFork(null));
    this.stop = button('stop', 'Stop…', null, () => this.stopDialog.showModal(), { class: 'danger' });
    this.why = h('p', { id: 'controls-why', class: 'hint' });
    this.more = new Commands(tell);
    this.element = h('div', { class: 'controls', role: 'group', 'aria-label': 'Controls' },
      this.on, this.pause, this.turn, this.round, this.saving, this.fork, this.more.element, this.stop);
    this.stopDialog = dialog('stop-dialog', 'Stop the run?',
      h('p', {}, 'It ends after this turn and is saved. It is not scored, as it can resume: by ',
        h('code', {}, 'hocket run FOLDER --resume'), ' or on the page of ', h('code', {}, 'hocket serve'), '.'),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', id: 'stop-yes', class: 'danger', onclick: () => this.#stop() }, 'Stop the run'),
        h('button', { type: 'button', id: 'stop-no', autofocus: true, onclick: () => this.stopDialog.close() }, 'Keep it running')));
    this.forkDialog = this.#forkDialog();
    this.dialogs = [this.stopDialog, this.forkDialog, this.more.dialogs];
    this.update(run);
    this.more.load().catch(() => {}); // the other controls are there
  }

  update(run) {
    this.#run = run;
    const paused = run.status === 'paused';
    const able = run.can_be_steered && !over(run.status) && !ending(run.status) && !this.lost;
    say(this.pause, paused ? 'Resume' : 'Pause');
    const set = (button, enabled) => {
      if (button.disabled === enabled) {
        button.disabled = !enabled;
      }
    };
    show(this.on, Boolean(run.can_go_on));
    const alone = !several(run);
    const ends = over(run.status) || (run.status === 'damaged');
    show(this.pause, !run.can_go_on && alone && !ends);
    show(this.turn, alone && !ends);
    show(this.round, alone && !ends);
    [this.saving, this.stop].forEach((button) => show(button, !ends));
    show(this.fork, !ends || Boolean(run.can_be_steered));
    set(this.on, !this.#busy);
    set(this.pause, able && alone && !this.#busy);
    set(this.turn, able && paused && !this.#busy);
    set(this.round, able && paused && !this.#busy);
    set(this.saving, able);
    set(this.fork, run.can_be_steered && !this.lost);
    set(this.stop, able);
    this.more.update(run, able);
    say(this.why, this.#reason(run, paused));
  }

  #reason(run, paused) {
    if (run.can_go_on) {
      return 'The run was stopped. A new process continues it, and can be steered then.';
    }
    if (over(run.status)) {
      return `The run has ${run.status === 'ended' ? 'ended' : run.status}: it accepts no commands.`;
    }
    if (this.lost) {
      return 'Nothing can be sent while the connection is lost.';
    }
    if (ending(run.status)) {
      return run.status === 'scoring'
        ? 'The run is being scored; it cannot be paused in that.'
        : 'The run has stopped and is being saved.';
    }
    if (!run.can_be_steered) {
      return 'This run cannot be steered from here: it trains in another process, or is only looked at.';
    }
    if (several(run)) {
      const many = run.workers.length;
      return `${many === 1 ? '1 worker trains' : `${many} workers train`} this run: it can be saved, forked and stopped; `
        + 'only a run of one process can be paused or changed.';
    }
    return paused ? '' : 'Steps work while it is paused.';
  }

  /** By key or button. */
  toggle() {
    return this.#send({ command: this.#run.status === 'paused' ? 'resume' : 'pause' }, this.pause);
  }

  step(unit) {
    if (this.#run.status !== 'paused' && !several(this.#run)) {
      this.tell('Pause it first, then it can be stepped.', true);
      return;
    }
    this.#send({ command: 'step', unit }, unit === 'turn' ? this.turn : this.round);
  }

  save() {
    this.#send({ command: 'save' }, this.saving);
  }

  async #goOn() {
    this.#busy = true;
    this.update(this.#run);
    this.tell('It is starting …');
    try {
      this.tell((await start(this.#run.id)).message);
      this.again();
    } catch (e) {
      this.tell(e.message, true);
    } finally {
      this.#busy = false;
      this.update(this.#run);
    }
  }

  #stop() {
    this.stopDialog.close();
    this.#send({ command: 'stop' }, this.stop);
  }

  async #send(body, from) {
    if (from.disabled) {
      this.tell(this.why.textContent || 'That does not work just now.', true);
      return;
    }
    const focused = document.activeElement === from;
    this.#busy = true;
    try {
      this.tell((await command(this.#run.id, body)).message);
      if (body.command === 'pause' || body.command === 'resume') {
        // Shows the state of the next tick at once.
        this.#run.status = body.command === 'pause' ? 'paused' : 'training';
      }
    } catch (e) {
      this.tell(e.message, true);
    } finally {
      this.#busy = false;
      this.update(this.#run);
      if (focused && !from.disabled) {
        from.focus();
      }
    }
  }

  #forkDialog() {
    this.checkpoint = h('select', { id: 'fork-checkpoint' });
    this.name = h('input', { id: 'fork-name', autocomplete: 'off', spellcheck: 'false', placeholder: 'chosen automatically' });
    this.start = h('input', { id: 'fork-start', type: 'checkbox', checked: true });
    this.forkMessage = h('p', { id: 'fork-message', class: 'field-message', role: 'status' });
    this.forkSend = h('button', { type: 'submit', id: 'fork-send', class: 'main' }, 'Fork');
    const form = h(
      'form',
      {
        onsubmit: (event) => {
          event.preventDefault();
          this.#fork();
        },
      },
      h('p', { class: 'hint' }, 'A new run in its own folder, which continues from here; this run does not change.'),
      h('label', { for: 'fork-checkpoint' }, 'From'),
      this.checkpoint,
      h('label', { for: 'fork-name' }, 'Name (optional)'),
      this.name,
      h('label', { class: 'check' }, this.start, 'Start it now'),
      this.forkMessage,
      h('div', { class: 'buttons' },
        this.forkSend,
        h('button', { type: 'button', id: 'fork-cancel', onclick: () => this.forkDialog.close() }, 'Close')),
    );
    return dialog('fork-dialog', 'Fork the run', form);
  }

  /** @param step a checkpoint's, or null for now */
  async openFork(step) {
    say(this.forkMessage, '');
    this.forkMessage.classList.remove('wrong');
    const now = over(this.#run.status) ? 'its end' : 'now';
    this.checkpoint.replaceChildren(h('option', { value: '' }, now));
    this.forkDialog.showModal();
    try {
      const { checkpoints } = await get(this.#run.id, 'checkpoints');
      this.checkpoint.append(...checkpoints.slice().reverse().map((each) => h('option', { value: each.step },
        `checkpoint ${count(each.step)}${each.best ? ', the best' : ''}, ${time(each.time)}`)));
      this.checkpoint.value = step === null ? '' : String(step);
    } catch (e) {
      say(this.forkMessage, e.message);
    }
  }

  async #fork() {
    const from = this.checkpoint.value;
    this.forkMessage.classList.remove('wrong');
    say(this.forkMessage, 'being forked …');
    this.forkSend.disabled = true;
    try {
      const answer = await command(this.#run.id, {
        command: 'fork',
        checkpoint: from === '' ? null : Number(from),
        name: this.name.value.trim() || null,
        start: this.start.checked,
      });
      this.forkMessage.replaceChildren(answer.message, ...(answer.folder ? [': ', h('code', {}, answer.folder)] : []));
      this.tell(answer.message);
    } catch (e) {
      this.forkMessage.classList.add('wrong');
      say(this.forkMessage, e.message);
    } finally {
      this.forkSend.disabled = false;
      this.forkMessage.scrollIntoView({ block: 'nearest' });
    }
  }
}
