/** The page `/doctor`. A pure function of the API's answer. */
import type { Diagnosis } from '@nereid/api';
import { whyNoWorkers } from '@nereid/domain/host';
import { html, type Html } from '../platform/html/html.ts';
import { when } from '../platform/html/when.ts';

type Examined = Diagnosis['examined'][number];

const OUTCOME: Readonly<Record<Examined['outcome'], { readonly text: string; readonly mood: string }>> = {
  ok: { text: 'Fine', mood: 'good' },
  warn: { text: 'To look at', mood: 'waiting' },
  fail: { text: 'Failed', mood: 'bad' },
  skip: { text: 'Nothing to check', mood: '' },
};

type Worker = NonNullable<Diagnosis['workers']>[number];

export function doctorBody(diagnosis: Diagnosis): Html {
  const { isHealthy, examined, at, tookMs, workers = [] } = diagnosis;
  const verdict = isHealthy
    ? 'This console can work with its configuration.'
    : 'Something that this console needs failed.';
  const none = whyNoWorkers(diagnosis);
  return html`<p>${verdict} Checked ${when(at)}, in ${(tookMs / 1_000).toFixed(1)} s.</p>
    ${cards(examined)} ${none === undefined ? workers.map(workerPart) : html`<p>${none}</p>`}`;
}

/** The cards of a healthy worker are for people who want to know. */
function workerPart({ id, roles, isHealthy, examined, at }: Worker): Html {
  const problems = examined.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
  const rest = examined.filter((one) => !problems.includes(one));
  const verdict = isHealthy ? 'it can work with its configuration.' : 'something that it needs failed.';
  return html`<section class="worker">
    <h2>Worker ${id}</h2>
    <p>${roles.join(', ')}. It says of itself: ${verdict} Checked ${when(at)}.</p>
    ${problems.length > 0 && cards(problems)}
    ${
      rest.length > 0 &&
      html`<details>
        <summary>${rest.length} ${problems.length > 0 ? 'more checks' : 'checks'} without a problem</summary>
        ${cards(rest)}
      </details>`
    }
  </section>`;
}

function cards(examined: readonly Examined[]): Html {
  return html`<ul class="cards">
    ${examined.map(card)}
  </ul>`;
}

function card({ name, outcome, found, remedy }: Examined): Html {
  const { text, mood } = OUTCOME[outcome];
  return html`<li class="card">
    <h2>${name}</h2>
    <p class="status ${mood}"><strong>${text}</strong></p>
    <p>${found}</p>
    ${remedy !== undefined && html`<p><strong>What to do:</strong> ${remedy}</p>`}
  </li>`;
}
