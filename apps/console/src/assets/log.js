/** Follows the log of a job. */
import { createLogText } from './log-text.js';
import { keepStream } from './stream.js';

const { location, requestAnimationFrame, setTimeout, URL } = globalThis;

/** However fast the log is, the page changes no more often, and stays usable. */
const PACE_MS = 100;

/** A line or so: who comes as near to the end wants to stay there. */
const NEAR_END_PX = 24;

/** So many without a move of the end, and it is where it stays. */
const SETTLED_FRAMES = 3;

/** A place between two pixels is not quite the end. */
const AT_END_PX = 2;

export function followLog(section) {
  const pre = section.querySelector('pre');
  const state = section.querySelector('.log-state');
  pre.replaceChildren();
  const text = createLogText(pre);
  const toEnd = followEnd(pre, section.querySelector('button'));
  let offset;
  let pending = [];
  let isPaced = false;

  function append(segments) {
    pending.push(...segments);
    if (isPaced) return;
    flush();
    isPaced = true;
    setTimeout(() => {
      isPaced = false;
      if (pending.length > 0) append([]);
    }, PACE_MS);
  }

  function flush() {
    const segments = pending;
    pending = [];
    text.append(segments);
    toEnd();
  }

  function note(words) {
    flush();
    text.note(words);
    toEnd();
  }

  function end(words, message) {
    endStream();
    flush();
    state.textContent = words;
    if (message) note(message);
  }

  function address() {
    const url = new URL(section.dataset.events, location.href);
    // A page shows the end of a log; what it is too slow for is in the plain text.
    url.searchParams.set('tail', 'yes');
    if (offset !== undefined) url.searchParams.set('offset', offset);
    return url;
  }

  function noteSkipped(bytes) {
    if (bytes > 0) note(`… ${Math.ceil(bytes / 1024)} KiB are left out here; see the plain text`);
  }

  const endStream = keepStream({
    address,
    onOpen: () => (state.textContent = 'live'),
    onLost: () => (state.textContent = 'connection lost, trying again…'),
    events: {
      start: ({ data }) => noteSkipped(JSON.parse(data).skippedBytes),
      skipped({ data, lastEventId }) {
        offset = lastEventId;
        noteSkipped(JSON.parse(data).bytes);
      },
      output({ data, lastEventId }) {
        offset = lastEventId;
        append(JSON.parse(data).segments);
      },
      ended({ data }) {
        const { lostBytes } = JSON.parse(data);
        end('complete', lostBytes > 0 && `… ${lostBytes} bytes of this log could not be stored`);
      },
      'broke-off': () => end('broke off', '… the log breaks off here: its host was lost'),
    },
  });
}

/** Returns what scrolls to the end, until somebody scrolls up; the button goes on. */
function followEnd(pre, button) {
  let isFollowing = true;
  let lastTop = 0;
  let framesLeft = 0;

  function toEnd() {
    if (!isFollowing) return;
    pre.scrollTop = pre.scrollHeight;
    lastTop = pre.scrollTop;
  }

  /** Parts get their height when they are seen first, which may move the end, to where other parts are seen first. */
  function toSettledEnd() {
    toEnd();
    if (framesLeft === 0) requestAnimationFrame(settle);
    framesLeft = SETTLED_FRAMES;
  }

  function settle() {
    const isMoved = pre.scrollHeight - pre.scrollTop - pre.clientHeight >= AT_END_PX;
    toEnd();
    framesLeft = isFollowing && isMoved ? SETTLED_FRAMES : framesLeft - 1;
    if (framesLeft > 0) requestAnimationFrame(settle);
  }

  pre.addEventListener('scroll', () => {
    const { scrollTop, scrollHeight, clientHeight } = pre;
    const left = scrollHeight - scrollTop - clientHeight;
    if (left < AT_END_PX) isFollowing = true;
    else if (scrollTop < lastTop) isFollowing = false;
    else if (left < NEAR_END_PX) isFollowing = true;
    lastTop = scrollTop;
    button.hidden = isFollowing;
  });
  button.addEventListener('click', () => {
    isFollowing = true;
    button.hidden = true;
    toSettledEnd();
  });
  return toSettledEnd;
}
