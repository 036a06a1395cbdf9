/**
 * Turns what a page shows into what the server says, element by element. What stays the same element keeps its focus, what is selected,
 * folded or typed in it, and its place on the screen.
 */
const { Node, performance } = globalThis;

/** Longer than a finger that is on its way, shorter than anybody reads. */
const MEANT_MS = 1_000;

/** When what the button of a form is about last became something else. */
const changedAt = new WeakMap();

/** Whether a press may still be meant for what was there a moment ago. */
export function hasJustChanged(form) {
  return performance.now() - (changedAt.get(form) ?? -MEANT_MS) < MEANT_MS;
}

/** `after` is used up. */
export function morph(before, after) {
  if (before.isEqualNode(after)) return;
  if (before.nodeType !== Node.ELEMENT_NODE) {
    before.nodeValue = after.nodeValue;
    return;
  }
  if (belongsToPerson(before)) return;
  morphAttributes(before, after);
  morphChildren(before, after);
}

/** A form whose press is under way, and what was answered to it. */
function belongsToPerson(element) {
  return element.getAttribute('aria-busy') === 'true' || element.classList.contains('said');
}

function morphAttributes(before, after) {
  for (const name of before.getAttributeNames()) {
    // A person has folded it, or not.
    if (!after.hasAttribute(name) && name !== 'open') before.removeAttribute(name);
  }
  for (const name of after.getAttributeNames()) {
    const value = after.getAttribute(name);
    if (before.getAttribute(name) === value || name === 'open') continue;
    before.setAttribute(name, value);
    if (name === 'value' && before.type === 'hidden' && before.name !== 'csrf')
      changedAt.set(before.form, performance.now());
  }
}

function morphChildren(before, after) {
  const wanted = new Set([...after.childNodes].map(keyOf));
  for (const child of [...before.childNodes]) if (!wanted.has(keyOf(child))) child.remove();
  const left = Map.groupBy(before.childNodes, keyOf);
  let place = before.firstChild;
  for (const child of [...after.childNodes]) {
    const same = left.get(keyOf(child))?.shift();
    if (same === undefined) {
      before.insertBefore(child, place);
    } else {
      if (same === place) place = place.nextSibling;
      else before.insertBefore(same, place);
      morph(same, child);
    }
  }
  for (const rest of [...left.values()].flat()) rest.remove();
}

/** The same for what is the same thing, although it may look differently. Of several with one key, the first stays the first. */
function keyOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeName;
  const named = ['id', 'aria-labelledby', 'name', 'href'].map((name) => node.getAttribute(name));
  return [node.localName, wordsOf(node), ...named].join('\n');
}

/** What a person knows it by. A button that does another thing is another button, so that nobody presses it by accident. */
function wordsOf(node) {
  switch (node.localName) {
    case 'button':
      return node.textContent.trim();
    case 'details':
      return node.firstElementChild?.firstChild?.nodeValue;
    case 'li':
    case 'tr':
      return node.querySelector('a')?.getAttribute('href');
    default:
      return undefined;
  }
}
