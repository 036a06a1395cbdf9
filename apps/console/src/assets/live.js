/**
 * Keeps the state of a page up to date: asks for it again when the server says that something has changed.
 * The state is HTML from our own server.
 */
import { morph } from './morph.js';
import { keepStream } from './stream.js';
import { writeTimes } from './times.js';

const { document, fetch, location, setTimeout, clearTimeout, AbortSignal, URL, URLSearchParams } = globalThis;

/** A request that failed is repeated after this time, for as long as nothing else happens. */
const RETRY_MS = 3_000;

/** One that was refused for good, so far as the server knows, is repeated less often: what is gone may come back. */
const REFUSED_RETRY_MS = 30_000;

/** A request that takes longer counts as a lost connection; the server waits for Temporal for 6 s at most. */
const PATIENCE_MS = 15_000;

/** `onSection` is called with each section of a log that is added. */
export function followState(main, onSection) {
  const stateOf = (parent) => parent.querySelector('#state');
  const note = document.querySelector('#connection');
  const lost = note.textContent;
  let shown = stateOf(main).outerHTML;
  let updating;
  let isStale = false;
  let isLoggedOut = false;
  let retrying;
  let settling;

  /** One request at a time: what changes meanwhile is in the next one. */
  function update() {
    isStale = true;
    updating ??= updateWhileStale().finally(() => (updating = undefined));
  }

  async function updateWhileStale() {
    while (isStale) {
      isStale = false;
      clearTimeout(retrying);
      const answer = await ask();
      note.hidden = answer.kind === 'shown';
      if (answer.kind === 'not-shown') {
        note.textContent = answer.sentence ?? lost;
        retrying = setTimeout(retry, answer.retryMs);
      }
      if (answer.kind === 'logged-out') sayLoggedOut();
      if (answer.kind === 'shown' && isLoggedOut) location.reload();
      if (note.hidden && stateOf(main).dataset.ended === 'yes') endStream();
    }
  }

  /** Until they look at the page again: they may have logged in elsewhere by then. */
  function sayLoggedOut() {
    isLoggedOut = true;
    note.replaceChildren('You are logged out. ', linkTo(location.href, 'Log in again'));
    endStream();
  }

  /** Nobody sees whether a hidden page is up to date. */
  function retry() {
    if (!note.hidden && !document.hidden) update();
  }

  async function ask() {
    try {
      const address = `${main.dataset.fragment}${location.search}`;
      const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (response.status === 401) return { kind: 'logged-out' };
      const template = document.createElement('template');
      template.innerHTML = await response.text();
      if (!response.ok) return refusalIn(template.content, response);
      show(template.content);
      return { kind: 'shown' };
    } catch {
      return { kind: 'not-shown', retryMs: RETRY_MS };
    }
  }

  function show(fragment) {
    const state = stateOf(fragment);
    if (state.outerHTML !== shown) {
      shown = state.outerHTML;
      writeTimes(state);
      morph(stateOf(main), state);
    }
    for (const section of fragment.querySelectorAll('section.log')) {
      if (document.getElementById(section.id)) continue;
      main.querySelector('#logs').append(section);
      onSection(section);
    }
  }

  /** Some of what a page is made of is kept for a moment, and has the change a little later. */
  function updateTwice() {
    update();
    clearTimeout(settling);
    settling = setTimeout(update, Number(main.dataset.settledMs));
  }

  if (stateOf(main).dataset.ended === 'yes') return;
  const endStream = keepStream({
    address: () => eventsOf(main),
    events: { reset: updateTwice, changed: updateTwice },
    // Without a stream, a page that can be asked for is still up to date, if only now and then.
    onLost: update,
  });
  document.addEventListener('visibilitychange', retry);
}

/** The server says why in a page of one sentence; somebody between us and the server does not. */
function refusalIn(content, { status, headers }) {
  const sentence = content.querySelector('main > p.card')?.textContent;
  const retryMs = status < 429 ? REFUSED_RETRY_MS : Number(headers.get('retry-after')) * 1_000 || RETRY_MS;
  return { kind: 'not-shown', sentence, retryMs };
}

function linkTo(address, text) {
  const link = document.createElement('a');
  link.href = address;
  link.textContent = text;
  return link;
}

/** The lane and the key are those of the page's own address. */
function eventsOf(main) {
  const address = new URL(main.dataset.events, location.href);
  const own = new URLSearchParams(location.search);
  for (const name of ['lane', 'key']) if (own.has(name)) address.searchParams.set(name, own.get(name));
  return address;
}
