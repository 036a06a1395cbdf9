/**
 * Keeps an open page up to date: whenever anything changes, the page is fetched again and its parts marked `data-live`
 * are exchanged. Forms for typing are outside of such parts; opened details stay open.
 */
export const LIVE_SCRIPT = `
'use strict';
let running = false;
let again = false;

async function refresh() {
  if (running) { again = true; return; }
  running = true;
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) exchange(part, fresh.getElementById(part.id));
  } finally {
    running = false;
    if (again) { again = false; setTimeout(refresh, 150); }
  }
}

function exchange(part, fresh) {
  if (!fresh || fresh.innerHTML === part.dataset.shown || part.contains(document.activeElement) && document.activeElement.matches('textarea, input[type=text]')) return;
  const nameOf = (details, index) => details.id || index;
  const open = new Map([...part.querySelectorAll('details')].map((each, index) => [nameOf(each, index), each.open]));
  const shown = fresh.innerHTML;
  if (part.innerHTML !== shown) part.innerHTML = shown;
  part.dataset.shown = shown;
  part.querySelectorAll('details').forEach((each, index) => { each.open = open.get(nameOf(each, index)) ?? each.open; });
}

if (document.querySelector('[data-live]')) new EventSource('/-/changes').onmessage = refresh;
document.querySelectorAll('[data-submits]').forEach((select) => select.addEventListener('change', () => select.form.submit()));
`;
