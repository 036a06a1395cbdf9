/** Keeps a page up to date, follows its logs, and writes times the way people say them. */
import { offerPressAll, submitHere } from './actions.js';
import { followKeys } from './keys.js';
import { followState } from './live.js';
import { followLog } from './log.js';
import { writeTimes } from './times.js';

const { document, setInterval } = globalThis;

const main = document.querySelector('main[data-fragment]');
if (main) {
  followState(main, followLog);
  for (const section of main.querySelectorAll('section.log')) followLog(section);
}
document.addEventListener('submit', submitHere);
followKeys();
offerPressAll();
writeTimes(document);
setInterval(() => writeTimes(document), 10_000);
