/** The page `/notifications`. A pure function of the API's answer. */
import type { DestinationList, DestinationSummary } from '@nereid/api';
import { buttonForm } from '../actions/buttons.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { when } from '../platform/html/when.ts';

const STATE: Readonly<Record<DestinationSummary['state'], { readonly text: string; readonly mood: string }>> = {
  fine: { text: 'Fine', mood: 'good' },
  failing: { text: 'Is tried again', mood: 'waiting' },
  stuck: { text: 'Has failed for an hour', mood: 'bad' },
  refused: { text: 'Has refused the last one', mood: 'bad' },
  unread: { text: 'Not known', mood: '' },
};

/** Without an actor nobody may do anything here. */
export function destinationsBody({ items }: DestinationList, actor?: Actor): Html {
  if (items.length === 0)
    return html`<p class="card">Nobody is notified: the server's file has no section “notifications”.</p>`;
  return html`<ul class="cards">
    ${items.map((each) => card(each, actor))}
  </ul>`;
}

function card(destination: DestinationSummary, actor: Actor | undefined): Html {
  const { name, kind, state, sentence, waiting, hours, dropped, deliveredAt, lastAttempt } = destination;
  const { text, mood } = STATE[state];
  return html`<li class="card" id="destination-${name}">
    <h2>${name}</h2>
    <p class="status ${mood}"><strong>${text}</strong>${hours !== undefined && html` <span>(${hours})</span>`}</p>
    ${state !== 'fine' && html`<p>${sentence}</p>`}
    <dl>
      ${row('Kind', html`${kind}`)}
      ${waiting !== undefined && row('Waiting', html`${waiting === MANY ? `${MANY} or more` : waiting}`)}
      ${deliveredAt !== undefined && row('Took the last one', when(deliveredAt))}
      ${lastAttempt !== undefined && row('Last answer', answerOf(lastAttempt))}
      ${dropped > 0 && row('Dropped so far', html`${dropped}`)}
    </dl>
    ${actor && SENT_AGAIN.includes(state) && buttonForm(actor, '', { action: 'send_again', idSuffix: `-${name}`, parameters: { name } })}
  </li>`;
}

/** Nothing is left to send where everything was taken. */
const SENT_AGAIN: readonly DestinationSummary['state'][] = ['failing', 'stuck', 'refused'];

/** As many as are counted. */
const MANY = 1_000;

function answerOf({ at, tookMs, reason = 'taken' }: NonNullable<DestinationSummary['lastAttempt']>): Html {
  return html`${reason}, after ${tookMs} ms, ${when(at)}`;
}

function row(term: string, description: Html): Html {
  return html`<div>
    <dt>${term}</dt>
    <dd>${description}</dd>
  </div>`;
}
