// Converts a printed plan, "sequence(d × 5, g)", to its form in a file.

const MOST = 1000; // of a turn in a round are shown

/**
 * Returns the form, or null if the plan has parts that this parser does not know.
 *
 * @param turns the names that there are
 */
export function formOf(text, turns) {
  const reader = new Reader(text, [...turns].sort((a, b) => b.length - a.length));
  const form = reader.part();
  return form !== null && reader.atEnd() ? form : null;
}

/** The turns of a form in their order, those that are taken together as one: `{turns: ["d"]}` each. */
export function stepsOf(form) {
  if (typeof form === 'string') {
    return [{ turns: [form] }];
  } else if (form.simultaneous) {
    return [{ turns: form.simultaneous.flatMap(stepsOf).flatMap((step) => step.turns) }];
  } else if (form.repeat) {
    const once = stepsOf(form.of);
    return Array.from({ length: Math.min(form.repeat, MOST) }, () => once).flat();
  }
  return form.sequence.flatMap(stepsOf);
}

class Reader {
  #text;
  #turns;
  #at = 0;

  constructor(text, turns) {
    this.#text = text;
    this.#turns = turns;
  }

  atEnd() {
    return this.#at === this.#text.length;
  }

  part() {
    let form = this.#group('sequence') ?? this.#group('simultaneous') ?? this.#turn();
    while (form !== null && this.#take(' × ')) {
      const times = /^\d+/.exec(this.#text.slice(this.#at))?.[0];
      if (!times) {
        return null;
      }
      this.#at += times.length;
      form = { repeat: Number(times), of: form };
    }
    return form;
  }

  #group(name) {
    const start = this.#at;
    if (!this.#take(`${name}(`)) {
      return null;
    }
    const parts = [];
    do {
      const part = this.part();
      if (part === null) {
        this.#at = start;
        return null;
      }
      parts.push(part);
    } while (this.#take(', '));
    if (!this.#take(')')) {
      this.#at = start;
      return null;
    }
    return { [name]: parts };
  }

  #turn() {
    return this.#turns.find((turn) => this.#take(turn)) ?? null;
  }

  #take(text) {
    const found = this.#text.startsWith(text, this.#at);
    if (found) {
      this.#at += text.length;
    }
    return found;
  }
}
