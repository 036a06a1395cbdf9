/** Buttons that do something: their answers stand beside them, also when the page changes. Without this, an answer is a page of its own. */
const { crypto, fetch, setTimeout, AbortSignal, FormData, URL, URLSearchParams } = globalThis;

/** Control answers within seconds; the server waits for it for 8 s. */
const PATIENCE_MS = 15_000;

/** How soon an answer that is to come is asked for again. */
const ASK_AGAIN_MS = 3_000;

/** A minute; then the sentence says that it goes on. */
const ANSWER_ASKED_LIMIT = 20;

export async function submitHere(event) {
  const form = event.target;
  if (!form.matches('form.act')) return;
  event.preventDefault();
  if (isBusy(form)) return;
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

async function post(form) {
  const headers = { accept: 'application/json', 'idempotency-key': crypto.randomUUID() };
  const body = new URLSearchParams(new FormData(form));
  let response = await fetch(form.action, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE_MS) });
  for (let asked = 0; response.status === 202 && asked < ANSWER_ASKED_LIMIT; asked += 1) {
    const place = new URL(response.headers.get('location'), response.url);
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    response = await fetch(place, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  }
  return response.json();
}
