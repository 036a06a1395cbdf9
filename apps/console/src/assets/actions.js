/** Buttons that do something: their answers stand beside them, also when the page changes. Without this, an answer is a page of its own. */
import { hasJustChanged } from './morph.js';

const { crypto, document, fetch, setTimeout, AbortSignal, FormData, URL, URLSearchParams } = globalThis;

/** Control answers within seconds; the server waits for it for 8 s. */
const PATIENCE_MS = 15_000;

/** How soon an answer that is to come is asked for again. */
const ASK_AGAIN_MS = 3_000;

/** A minute; then the sentence says that it goes on. */
const ANSWER_ASKED_LIMIT = 20;

export function submitHere(event) {
  const form = event.target;
  if (!form.matches('form.act')) return;
  event.preventDefault();
  void submit(form);
}

/** Shows the buttons that press all others of their kind, which nothing does without this script. */
export function offerPressAll() {
  for (const button of document.querySelectorAll('button[data-presses]')) {
    button.parentElement.hidden = false;
    button.addEventListener('click', () => pressAll(button));
  }
}

/** One after the other, as a person would; each has its own answer beside it. */
async function pressAll(button) {
  const said = button.parentElement.querySelector('.said');
  const forms = [...document.querySelectorAll(`form[id^="act-${button.dataset.presses}"]`)];
  const lookOf = (form) => form.querySelector('.said').className;
  const withLook = (look) => forms.filter((form) => lookOf(form) === `said ${look}`).length;
  button.disabled = true;
  for (const [index, form] of forms.entries()) {
    said.textContent = `${index + 1} of ${forms.length}…`;
    if (lookOf(form) !== 'said done') await submit(form);
  }
  button.disabled = false;
  const [done, refused] = [withLook('done'), withLook('refused')];
  said.className = refused === 0 ? 'said done' : 'said refused';
  said.textContent = `${done} of ${forms.length} done${refused === 0 ? '.' : `; ${refused} not: see beside their buttons.`}`;
}

async function submit(form) {
  if (isBusy(form)) return;
  if (hasJustChanged(form)) {
    say(form, CHANGED, 'refused');
    return;
  }
  form.setAttribute('aria-busy', 'true');
  say(form, '…', '');
  try {
    const answer = await post(form);
    say(form, answer.sentence ?? answer.detail, answer.state === undefined ? 'refused' : 'done');
  } catch {
    say(form, LOST, 'refused');
  } finally {
    form.setAttribute('aria-busy', 'false');
  }
}

const CHANGED = 'This has changed just now: look at it, then press again.';

const LOST =
  'The connection is lost, so nobody knows whether this was done. Look at what the page says, then try again.';

function isBusy(form) {
  return form.getAttribute('aria-busy') === 'true';
}

function say(form, text, look) {
  const said = form.querySelector('.said');
  said.textContent = text;
  said.className = `said ${look}`;
}

/** A request that is not known yet may be on its way. */
function isToCome({ status }, place) {
  return status === 202 || (status === 404 && place !== undefined);
}

/** Until its answer has come, a press that is repeated is the same request. */
const keys = new WeakMap();

async function post(form) {
  const key = keys.get(form) ?? crypto.randomUUID();
  keys.set(form, key);
  const headers = { accept: 'application/json', 'idempotency-key': key };
  const body = new URLSearchParams(new FormData(form));
  let response = await fetch(form.action, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE_MS) });
  let place;
  for (let asked = 0; isToCome(response, place) && asked < ANSWER_ASKED_LIMIT; asked += 1) {
    if (response.status === 202) place = new URL(response.headers.get('location'), response.url);
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    response = await fetch(place, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  }
  const answer = await response.json();
  if (!isToCome(response, place)) keys.delete(form);
  return answer;
}
