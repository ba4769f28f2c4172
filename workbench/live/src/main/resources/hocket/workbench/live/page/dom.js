// Building elements. Text is always text: nothing here, or anywhere on this page, parses markup.

/**
 * An element.
 *
 * @param props attributes; functions are listeners (`onclick`), false, null and undefined leave an attribute out
 * @param children elements and texts; what is false, null or undefined is left out
 */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An element of an SVG drawing. */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Changes a text only if it differs, so that selections and screen readers are not disturbed. */
export function say(element, text) {
  const wanted = String(text);
  if (element.textContent !== wanted) {
    element.textContent = wanted;
  }
}

/** Shows or hides. */
export function show(element, shown) {
  if (element.hidden === shown) {
    element.hidden = !shown;
  }
}

/** A panel with a heading. */
export function panel(id, title, beside, ...children) {
  return h(
    'section',
    { class: 'panel', id, 'aria-labelledby': `${id}-title` },
    h('div', { class: 'panel-head' }, h('h2', { id: `${id}-title` }, title), beside),
    ...children,
  );
}

/** A panel that opens and closes. */
export function folding(id, title, open, ...children) {
  return h(
    'details',
    { class: 'panel', id, open },
    h('summary', {}, h('h2', {}, title)),
    ...children,
  );
}

/** A dialog with a title, which Escape closes; `open()` shows it. */
export function dialog(id, title, ...children) {
  return h('dialog', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);
}

/** Turns a name into a part of an id. */
export function slug(name) {
  return name.replace(/[^A-Za-z0-9_]+/g, '-');
}
