/**
 * The keyboard: Ctrl-K or / searches, j and k go through what a page lists, c goes to the answer that is asked for, l to the logs. Keys
 * without Ctrl can be turned off, for people whose speech is typed.
 */
const { document } = globalThis;

const OFF = 'nereid-keys-off';

/** What a page lists, one link an entry. */
const ENTRIES = '.merges > li, .rows > li, .scroll tbody tr';

export function followKeys() {
  addSwitch();
  document.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey ? (event.key === 'k' ? search : undefined) : actOf(event);
    if (act?.() === true) event.preventDefault();
  });
}

function addSwitch() {
  const button = document.createElement('button');
  button.type = 'button';
  label(button);
  button.addEventListener('click', () => {
    if (isOff()) siteData()?.removeItem(OFF);
    else siteData()?.setItem(OFF, 'yes');
    label(button);
  });
  document.querySelector('#keys')?.append(button);
}

function actOf({ key, altKey, target }) {
  if (altKey || isOff() || target.closest('input, textarea, select, [contenteditable]')) return undefined;
  return { '/': search, j: () => move(1), k: () => move(-1), c: answer, l: logs }[key];
}

function isOff() {
  return siteData()?.getItem(OFF) === 'yes';
}

/** Undefined where the browser blocks it, even from being read: the keys are then on, and stay so. */
function siteData() {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

function label(button) {
  button.textContent = isOff() ? 'Turn them on' : 'Turn them off';
}

function search() {
  return focus(document.querySelector('form[role="search"] input'));
}

/** The button is pressed by Enter: nobody confirms with one key. */
function answer() {
  return focus(document.querySelector('#state form button'));
}

function logs() {
  return focus(document.querySelector('#logs pre'));
}

/** Those that are folded away are passed over. */
function move(by) {
  const links = [...document.querySelectorAll(ENTRIES)]
    .map((entry) => entry.querySelector('a'))
    .filter((link) => link?.checkVisibility());
  const at = links.findIndex((link) => link === document.activeElement);
  return focus(links.at(at === -1 && by < 0 ? -1 : Math.min(Math.max(at + by, 0), links.length - 1)));
}

function focus(element) {
  element?.focus();
  return element != null;
}
