/**
 * Keeps the page of a deployment or a pull request up to date: polls its state, follows its logs, and writes times the way people
 * say them.
 * Text is only ever inserted as text; the state is HTML from our own server.
 */
const { document, EventSource, fetch, location, setTimeout, setInterval, AbortSignal, Intl, URL } = globalThis;
const { crypto, CSS, FormData, URLSearchParams } = globalThis;

/** Often enough to be live, seldom enough for a hundred open pages. */
const POLL_MS = 2_000;
/** A failed connection is tried again after this time. */
const RETRY_MS = 3_000;
/** A request that takes longer counts as a lost connection; the server waits for Temporal for 6 s at most. */
const PATIENCE_MS = 15_000;
/** How many characters of one log the page keeps; a browser stays fast with that many. */
const SHOWN_LIMIT = 4_000_000;

/** A minute or two; then the sentence says that it goes on. */
const ANSWER_ASKED_LIMIT = 20;

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

const main = document.querySelector('main[data-fragment]');
if (main) {
  followState(main);
  for (const section of main.querySelectorAll('section.log')) followLog(section);
}
document.addEventListener('submit', submitHere);
writeTimes(document);
setInterval(() => writeTimes(document), 10_000);

function followState(main) {
  let shown = main.querySelector('#state').outerHTML;
  const lost = document.querySelector('#connection');

  async function update() {
    try {
      const response = await fetch(`${main.dataset.fragment}${location.search}`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const template = document.createElement('template');
      template.innerHTML = await response.text();
      show(template.content);
      lost.hidden = true;
    } catch {
      lost.hidden = false;
    }
    const { ended, pollMs = POLL_MS } = main.querySelector('#state').dataset;
    if (ended !== 'yes' || !lost.hidden) setTimeout(update, document.hidden ? 5 * pollMs : Number(pollMs));
  }

  function show(fragment) {
    const state = fragment.querySelector('#state');
    if (state.outerHTML !== shown) {
      shown = state.outerHTML;
      const before = main.querySelector('#state');
      keepClosed(before, state);
      keepAnswers(before, state);
      const scrolled = [...before.querySelectorAll('.scroll')].map(({ scrollLeft }) => scrollLeft);
      writeTimes(state);
      const focused = sameAsFocused(before, state);
      before.replaceWith(state);
      state.querySelectorAll('.scroll').forEach((table, index) => (table.scrollLeft = scrolled[index] ?? 0));
      focused?.focus({ preventScroll: true });
    }
    for (const section of fragment.querySelectorAll('section.log')) {
      if (document.getElementById(section.id)) continue;
      main.querySelector('#logs').append(section);
      followLog(section);
    }
  }

  const { ended, pollMs = POLL_MS } = main.querySelector('#state').dataset;
  if (ended !== 'yes') setTimeout(update, Number(pollMs));
}

/** What a button was answered stays beside it, and the person who is filling in a field goes on. */
function keepAnswers(before, after) {
  for (const form of before.querySelectorAll('form.act')) {
    const same = after.querySelector(`#${CSS.escape(form.id)}`);
    if (!same) continue;
    const isBusy = form.getAttribute('aria-busy') === 'true';
    const said = form.querySelector('.said').textContent;
    if (isBusy || said !== '') same.replaceWith(form);
  }
}

/** A press is answered beside its button; without this, the answer is a page of its own. */
async function submitHere(event) {
  const form = event.target;
  if (!form.matches('form.act')) return;
  event.preventDefault();
  if (form.getAttribute('aria-busy') === 'true') return;
  const say = (text, look) => {
    const said = form.querySelector('.said');
    said.textContent = text;
    said.className = `said ${look}`;
  };
  form.setAttribute('aria-busy', 'true');
  say('…', '');
  try {
    const answer = await post(form);
    say(answer.sentence ?? answer.detail, answer.state === undefined ? 'refused' : 'done');
  } catch {
    say(
      'The connection is lost: nobody knows whether this was done. Look at what the page says, then try again.',
      'refused',
    );
  } finally {
    form.setAttribute('aria-busy', 'false');
  }
}

/** One that is under way is asked for until it has its answer. */
async function post(form) {
  const headers = { accept: 'application/json', 'idempotency-key': crypto.randomUUID() };
  const body = new URLSearchParams(new FormData(form));
  let response = await fetch(form.action, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE_MS) });
  for (let asked = 0; response.status === 202 && asked < ANSWER_ASKED_LIMIT; asked += 1) {
    const place = new URL(response.headers.get('location'), response.url);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    response = await fetch(place, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  }
  return response.json();
}

/** Sections that a person has folded stay folded. Those with an id may have changed their places. */
function keepClosed(before, after) {
  const now = [...after.querySelectorAll('details')];
  before.querySelectorAll('details').forEach((details, index) => {
    const same = details.id === '' ? now[index] : now.find(({ id }) => id === details.id);
    if (same && same.id === details.id) same.open = details.open;
  });
}

/** Who reads by keyboard stays at the same link or section. */
function sameAsFocused(before, after) {
  const { activeElement: focused } = document;
  if (!before.contains(focused)) return undefined;
  const keyOf = (element) => element.getAttribute('href') ?? element.closest('[id]').id;
  const same = [...after.querySelectorAll(focused.localName)];
  return same.find((element) => keyOf(element) === keyOf(focused));
}

function followLog(section) {
  const pre = section.querySelector('pre');
  const state = section.querySelector('.log-state');
  const button = section.querySelector('button');
  let offset;
  let shownLength = 0;
  let isFollowing = true;
  pre.replaceChildren();

  pre.addEventListener('scroll', () => {
    isFollowing = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 24;
    button.hidden = isFollowing;
  });
  button.addEventListener('click', () => {
    isFollowing = true;
    button.hidden = true;
    toEnd();
  });

  function toEnd() {
    if (isFollowing) pre.scrollTop = pre.scrollHeight;
  }

  function append(segments) {
    for (const [text, classes] of segments) {
      const node = classes === '' ? document.createTextNode(text) : document.createElement('span');
      if (classes !== '') {
        node.className = classes;
        node.textContent = text;
      }
      pre.append(node);
      shownLength += text.length;
    }
    while (shownLength > SHOWN_LIMIT && pre.childNodes.length > 1) {
      shownLength -= pre.firstChild.textContent.length;
      pre.firstChild.remove();
    }
    toEnd();
  }

  function note(text) {
    const line = document.createElement('span');
    line.className = 'log-note';
    line.textContent = `${text}\n`;
    pre.append(line);
    toEnd();
  }

  function end(source, text, message) {
    source.close();
    state.textContent = text;
    if (message) note(message);
  }

  function connect() {
    const url = new URL(section.dataset.events, location.href);
    if (offset !== undefined) url.searchParams.set('offset', offset);
    const source = new EventSource(url);
    source.addEventListener('open', () => (state.textContent = 'live'));
    source.addEventListener('start', ({ data }) => {
      const { skippedBytes } = JSON.parse(data);
      if (skippedBytes > 0)
        note(`… the first ${Math.ceil(skippedBytes / 1024)} KiB are left out here; see the plain text`);
    });
    source.addEventListener('output', ({ data, lastEventId }) => {
      offset = lastEventId;
      append(JSON.parse(data).segments);
    });
    source.addEventListener('ended', ({ data }) => {
      const { lostBytes } = JSON.parse(data);
      end(source, 'complete', lostBytes > 0 && `… ${lostBytes} bytes of this log could not be stored`);
    });
    source.addEventListener('broke-off', () =>
      end(source, 'broke off', '… the log breaks off here: its host was lost'),
    );
    source.addEventListener('error', () => {
      state.textContent = 'connection lost, trying again…';
      // A browser tries again by itself, but not after a response that was not an event stream.
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS);
    });
  }

  connect();
}

function writeTimes(parent) {
  for (const time of parent.querySelectorAll('time[datetime]')) {
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1_000;
    if (!Number.isNaN(seconds)) time.textContent = relative(seconds);
  }
}

function relative(seconds) {
  const [size, unit] = UNITS.find(([unitSize]) => Math.abs(seconds) >= unitSize) ?? [1, 'second'];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}
