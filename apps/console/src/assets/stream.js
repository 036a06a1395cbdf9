/**
 * Keeps one stream of server-sent events open for as long as the page is looked at. A browser keeps six connections to a server for
 * all its tabs together, so a tab that nobody sees gives its own back after a while.
 */
const { document, EventSource, addEventListener, setTimeout, clearTimeout } = globalThis;

/** Somebody who looks into another tab for a moment comes back to a page that is up to date. */
const HIDDEN_MS = 30_000;

/** The server says something every 15 s: after three times as long, it is gone, whatever the network says. */
const SILENCE_MS = 45_000;

/** The first wait after a failure; it doubles up to the limit. */
const RETRY_MS = 2_000;
const RETRY_LIMIT_MS = 15_000;

/**
 * `address()` is asked for whenever the stream is opened. `events` are functions by the names of events. `onOpen` and `onLost` say
 * how the connection is. Returns what ends it.
 */
export function keepStream({ address, events, onOpen = () => undefined, onLost = () => undefined }) {
  let source;
  let failures = 0;
  let isOver = false;
  let retrying;
  let hiding;
  let silence;

  function open() {
    clearTimeout(retrying);
    if (isOver || source || document.hidden) return;
    source = new EventSource(address());
    source.addEventListener('open', () => {
      failures = 0;
      onOpen();
    });
    source.addEventListener('error', lose);
    source.addEventListener('alive', hear);
    for (const [name, listener] of Object.entries(events)) {
      source.addEventListener(name, (event) => {
        hear();
        listener(event);
      });
    }
    hear();
  }

  function hear() {
    clearTimeout(silence);
    silence = setTimeout(lose, SILENCE_MS);
  }

  function close() {
    clearTimeout(silence);
    source?.close();
    source = undefined;
  }

  /** Not all browsers try again after every failure, so none of them is left to do so. */
  function lose() {
    close();
    onLost();
    const wait = Math.min(RETRY_MS * 2 ** failures, RETRY_LIMIT_MS);
    failures += 1;
    // After a restart of the server, not all pages come back at the same moment.
    retrying = setTimeout(open, wait * (0.5 + Math.random()));
  }

  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(close, HIDDEN_MS);
    else open();
  });
  // A page that is left and comes back as it was has no connection any more.
  addEventListener('pagehide', close);
  addEventListener('pageshow', open);
  open();

  return () => {
    isOver = true;
    clearTimeout(retrying);
    close();
  };
}
