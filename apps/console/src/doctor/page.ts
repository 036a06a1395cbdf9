/** The page `/doctor`. A pure function of the API's answer. */
import type { Diagnosis } from '@nereid/api';
import { when } from '../deployments/when.ts';
import { html, type Html } from '../html/html.ts';

type Examined = Diagnosis['examined'][number];

const OUTCOME: Readonly<Record<Examined['outcome'], { readonly text: string; readonly mood: string }>> = {
  ok: { text: 'Fine', mood: 'good' },
  warn: { text: 'To look at', mood: 'waiting' },
  fail: { text: 'Failed', mood: 'bad' },
  skip: { text: 'Nothing to check', mood: '' },
};

export function doctorBody({ isHealthy, examined, at, tookMs }: Diagnosis): Html {
  const verdict = isHealthy ? 'This console can work with what it has.' : 'Something that this console needs failed.';
  return html`<p>${verdict} Checked ${when(at)}, in ${(tookMs / 1_000).toFixed(1)} s.</p>
    <ul class="cards">
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
