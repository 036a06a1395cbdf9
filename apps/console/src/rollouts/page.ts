/** The pages of rollouts: the merges of the last days, and one of them with all its roots. Pure functions of the API's answers. */
import type { RolloutDetail, RolloutList } from '@nereid/api';
import { ACTIONS } from '@nereid/domain/actions';
import { appliedCounts, hasEnded, shortSha, type DeploymentStatus } from '@nereid/domain/deployment';
import { STAND_LOOK, STATUS_LOOK } from '@nereid/domain/looks';
import { capitalised } from '@nereid/domain/words';
import { buttonForm, REASON_INPUT } from '../actions/buttons.ts';
import { cancelForm } from '../deployments/cancel-form.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { iconOf } from '../platform/html/icons.ts';
import { liveState } from '../platform/html/live.ts';
import { unavailableNote } from '../platform/html/notes.ts';
import { when } from '../platform/html/when.ts';
import { stackedTable } from '../platform/html/table.ts';
import { named } from '../access/sight.ts';
import { stopNote } from '../stops/stop-note.ts';
import { stopsAround, type ShownStop } from '../access/stops/shown-stops.ts';
import { mergeCard, reviewText, standBar, standLegend } from './merge-card.ts';
import { rolloutGraph } from './rollout-graph.ts';
import { timeline, TIMELINE_LEGEND, type Span } from './timeline.ts';

/** From the page `/rollouts/<owner>/<repo>/<sha>`. */
export const ROLLOUT_TO_TOP = '../../../';

export function rolloutsState({ items, unavailable }: RolloutList, stops: readonly ShownStop[]): Html {
  return liveState(
    html`${unavailableNote(unavailable)} ${stopNote(stops, '')}
    ${
      items.length === 0
        ? html`<p class="card">Nothing was merged in the last days that deploys a root.</p>`
        : html`<ul class="merges">
            ${items.map((rollout) => mergeCard(rollout))}
          </ul>`
    }`,
  );
}

export function rolloutState(rollout: RolloutDetail, stops: readonly ShownStop[], actor?: Actor): Html {
  const { sha, author, at, counts, deployments, halted, nextWave, unavailable } = rollout;
  const times = deployments.flatMap(({ phases }) => phases.flatMap(({ from, to = from }) => [from, to]));
  const span = { start: Date.parse(at), end: Math.max(...times.map((time) => Date.parse(time))) };
  return liveState(
    html`${unavailableNote(unavailable)} ${stopNote(stopsAround(stops, rollout.repository), ROLLOUT_TO_TOP)}
      <p class="place">by <bdi>${author}</bdi>, ${when(at)}</p>
      ${halted !== undefined && html`<p class="note warning" role="status">${halted}</p>`}
      ${nextWave !== undefined && html`<p class="note">${nextWave}</p>`} ${skipForm(rollout, actor)} ${standBar(counts)}
      <p class="legend">
        ${standLegend(counts)}
        ${counts.review !== undefined && html`<a href="${sha}/plans">${reviewText(counts.review)}</a>`}
      </p>
      ${rolloutGraph(deployments, ROLLOUT_TO_TOP)}
      ${stackedTable(
        'Its roots',
        ['Root', 'State', html`Since the merge <span class="detail">${TIMELINE_LEGEND}</span>`],
        deployments.map((one) => rootRow(one, rollout, span, actor)),
      )}`,
  );
}

/** Of the wave that others wait for, whether it is halted or soaks. Control judges who may. */
function skipForm({ repository, sha, awaitedWave }: RolloutDetail, actor: Actor | undefined): Html | undefined {
  if (actor === undefined || awaitedWave === undefined) return undefined;
  return html`<section class="acts" aria-label="What you can do with the waves of this merge">
    ${buttonForm(actor, ROLLOUT_TO_TOP, {
      action: 'skip_soak',
      parameters: { ...named(repository) },
      fields: { revision: sha, wave: String(awaitedWave) },
      inputs: REASON_INPUT,
    })}
    <p class="quiet">
      ${ACTIONS.skip_soak.label}: nobody waits for wave ${awaitedWave} of this merge any more, neither for its roots nor
      for its soak and its checks.
    </p>
  </section>`;
}

type Row = RolloutDetail['deployments'][number];

function rootRow(one: Row, { repository }: RolloutDetail, span: Span, actor: Actor | undefined): Html {
  const { rootName, path, stand, status, phases, checkRun, waitsForCount, wave } = one;
  const waits = stand === 'waiting' && !hasEnded(status as DeploymentStatus); // As the console itself has written it.
  return html`<tr role="row">
    <th scope="row" role="rowheader">
      <a href="${ROLLOUT_TO_TOP}${path}">${rootName}</a>
      <span class="detail"><a href="${ROLLOUT_TO_TOP}lanes/${repository}/${rootName}">its lane</a></span>
      ${waitsForCount > 0 && html`<span class="detail">after ${beforeText(one)}</span>`}
      ${wave && html`<span class="detail">wave ${wave.number} of ${wave.of} (${wave.name})</span>`}
    </th>
    <td role="cell">
      <span class="mood ${STAND_LOOK[stand].mood}">${iconOf(STAND_LOOK[stand].icon)} ${statusText(one)}</span>
      ${checkRun !== undefined && html`<span class="detail"><a href="${checkRun}">check run</a></span>`}
      ${waits && cancelForm({ repository, rootName }, one, actor, ROLLOUT_TO_TOP)}
    </td>
    <td role="cell">${timeline(phases, span)}</td>
  </tr>`;
}

/** More would make a row higher than it is worth. */
const NAMED = 5;

function beforeText({ waitsFor, waitsForCount }: Row): string {
  const named = waitsFor.slice(0, NAMED).join(', ');
  return waitsForCount > NAMED ? `${named} and ${waitsForCount - NAMED} more` : named;
}

/** One that was skipped for a newer one is as far as that one. */
function statusText({ status, stand, carrier, applied, reason }: Row): Html {
  const { word } = STATUS_LOOK[status as DeploymentStatus]; // As the console itself has written it.
  if (carrier === undefined)
    return html`${word}${reason !== undefined && html`<span class="detail">${capitalised(reason)}</span>`}${applied && html`<span class="detail">${appliedCounts(applied)}</span>`}`;
  const other = html`<a href="${ROLLOUT_TO_TOP}${carrier.path}"><code>${shortSha(carrier.sha)}</code></a>`;
  if (stand === 'done') return html`Applied with ${other}`;
  const how = carrier.status === undefined ? '' : `: ${STATUS_LOOK[carrier.status as DeploymentStatus].word}`;
  return html`${stand === 'waiting' ? 'Goes with' : `${word} for`} ${other}${how}`;
}
