/** The page `/`: what waits for a person, the most urgent first. A pure function of the API's answers. */
import {
  LANE_STATES,
  STATES_AT_WORK,
  STATES_FOR_A_PERSON,
  type Attention,
  type HostSummary,
  type LaneState,
  type LaneSummary,
} from '@nereid/api';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { liveState } from '../platform/html/live.ts';
import { unavailableNote } from '../platform/html/notes.ts';
import { when } from '../platform/html/when.ts';
import { rolloutRow } from '../rollouts/page.ts';
import { LANE_LOOK, laneMood, waitText } from './lane-look.ts';
import { laneForm } from './lane-offers.ts';

/** More than anybody reads; the rest is behind a link. */
const SHOWN = 50;

export interface ShownAttention extends Attention {
  /** Others may see no lane although many run: they are told nothing of how an installation begins. */
  readonly mayAskDoctor: boolean;
}

/** Without the lanes that need nobody. */
export function attentionOnly({ lanes, mayAskDoctor: _ofPages, ...found }: ShownAttention): Attention {
  return {
    ...found,
    lanes: { ...lanes, items: [...inOrder(lanes.items, [...STATES_FOR_A_PERSON, ...STATES_AT_WORK])] },
  };
}

export function attentionBody({ lanes: list, hosts, rollouts, mayAskDoctor }: ShownAttention, actor?: Actor): Html {
  const waiting = inOrder(list.items, STATES_FOR_A_PERSON, actor?.login);
  const working = inOrder(list.items, STATES_AT_WORK);
  return liveState(
    html`${unavailableNote(list.unavailable)} ${mayAskDoctor && isFirstVisit(list, rollouts) && BEGINNING}
      <section class="card" aria-labelledby="waits">
        <h2 id="waits">Needs a person</h2>
        ${waiting.length === 0 && (hosts ?? []).length === 0 ? html`<p>Nothing needs a person.</p>` : rows(waiting, actor)}
        ${hosts === undefined ? html`<p>Which hosts are away is not known: storage does not answer.</p>` : hosts.map(awayHost)}
      </section>
      <section class="card" aria-labelledby="works">
        <h2 id="works">At work</h2>
        ${working.length === 0 ? html`<p>Nothing is deployed at this moment.</p>` : rows(working, actor)}
      </section>
      <section class="card" aria-labelledby="merges">
        <h2 id="merges">Last merges</h2>
        ${
          rollouts.length === 0
            ? html`<p>Nothing was merged in the last days that deploys a root.</p>`
            : html`<ul class="rows">
                ${rollouts.map(rolloutRow)}
              </ul>`
        }
      </section>
      <section class="card" aria-labelledby="all">
        <h2 id="all">All lanes</h2>
        <ul class="links">
          ${LANE_STATES.flatMap((state) => countLink(state, list.counts[state] ?? 0))}
          <li><a href="lanes">Every lane</a></li>
        </ul>
      </section>`,
  );
}

/** Nobody has deployed anything that this person may see. */
function isFirstVisit({ items, counts, unavailable }: Attention['lanes'], rollouts: Attention['rollouts']): boolean {
  const isKnown = unavailable.length === 0;
  return isKnown && items.length === 0 && rollouts.length === 0 && Object.values(counts).every((count) => count === 0);
}

const BEGINNING = html`<section class="card" aria-labelledby="begin">
  <h2 id="begin">Begin here</h2>
  <p>Nothing was deployed yet in the repositories that you may see.</p>
  <ol>
    <li>
      <code>nereid setup</code>, once, makes the GitHub App and prints the address at which it is installed on
      repositories.
    </li>
    <li><a href="doctor">The doctor</a> says what does not work, and what to do.</li>
    <li>Merge a pull request that changes a root: a check run shows its plan, and Confirm applies it.</li>
  </ol>
</section>`;

/** The plans to review that name this person come first. */
function inOrder(lanes: readonly LaneSummary[], states: readonly LaneState[], login?: string): readonly LaneSummary[] {
  const isForOthers = ({ running }: LaneSummary) => Number(!isAsked(running?.reviewers, login));
  return lanes
    .filter(({ state }) => states.includes(state))
    .toSorted(
      (one, other) =>
        states.indexOf(one.state) - states.indexOf(other.state) ||
        isForOthers(one) - isForOthers(other) ||
        (one.since ?? '').localeCompare(other.since ?? ''),
    );
}

function isAsked(reviewers: readonly string[] = [], login?: string): boolean {
  return login !== undefined && reviewers.some((one) => one.toLowerCase() === login.toLowerCase());
}

function rows(lanes: readonly LaneSummary[], actor: Actor | undefined): Html {
  return html`<ul class="rows">
      ${lanes.slice(0, SHOWN).map((lane) => row(lane, actor))}
    </ul>
    ${lanes.length > SHOWN && html`<p><a href="lanes">${lanes.length - SHOWN} more, among all lanes</a></p>`}`;
}

function row(lane: LaneSummary, actor: Actor | undefined): Html {
  const { repository, rootName, state, sentence, running } = lane;
  return html`<li>
    ${laneMood(state)} <a href="lanes/${repository}/${rootName}">${rootName}</a>
    <span class="quiet">${repository}</span>
    ${sentence !== undefined && html`<span class="detail">${waitText(lane, '')}</span>`}
    ${running && html`<span class="detail">“<bdi>${running.title}</bdi>” by ${running.requestedBy}: ${deploymentLinks(running)}</span>`}
    ${laneForm('unlock', lane, actor, '')}
  </li>`;
}

function deploymentLinks({ path, checkRun, status }: NonNullable<LaneSummary['running']>): Html {
  const toPlan = status === 'awaiting-review' ? 'Review the plan' : 'Follow it';
  return html`<a href="${path}">${toPlan}</a>${checkRun !== undefined && html`, <a href="${checkRun}">check run</a>`}`;
}

function awayHost({ id, at }: HostSummary): Html {
  return html`<p>
    <span class="mood bad">Host away</span> <a href="hosts#host-${id}">${id}</a>, last heard from ${when(at)}
  </p>`;
}

function countLink(state: LaneState, count: number): readonly Html[] {
  if (count === 0) return [];
  return [html`<li><a href="lanes?state=${state}">${LANE_LOOK[state].headline}: ${count}</a></li>`];
}
