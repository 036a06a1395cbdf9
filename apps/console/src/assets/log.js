/** Follows the log of a job. Text is only ever inserted as text. */
import { keepStream } from './stream.js';

const { document, location, URL } = globalThis;

/** How many characters of one log the page keeps; a browser stays fast with that many. */
const SHOWN_LIMIT = 4_000_000;

export function followLog(section) {
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

  function end(text, message) {
    endStream();
    state.textContent = text;
    if (message) note(message);
  }

  function address() {
    const url = new URL(section.dataset.events, location.href);
    if (offset !== undefined) url.searchParams.set('offset', offset);
    return url;
  }

  const endStream = keepStream({
    address,
    onOpen: () => (state.textContent = 'live'),
    onLost: () => (state.textContent = 'connection lost, trying again…'),
    events: {
      start({ data }) {
        const { skippedBytes } = JSON.parse(data);
        if (skippedBytes > 0)
          note(`… the first ${Math.ceil(skippedBytes / 1024)} KiB are left out here; see the plain text`);
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
