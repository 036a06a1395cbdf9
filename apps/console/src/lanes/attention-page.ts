/** The page `/`: what waits for a person, the most urgent first. A pure function of the API's answers. */
import {
  LANE_STATES,
  STATES_AT_WORK,
  STATES_FOR_A_PERSON,
  type Attention,
  type HostSummary,
  type LaneState,
  type LaneSummary,
  type RolloutSummary,
} from '@nereid/api';
import { HOST_LOOK, LANE_LOOK } from '@nereid/domain/looks';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { stateMark } from '../platform/html/icons.ts';
import { liveState } from '../platform/html/live.ts';
import { rolloutPath } from '../platform/html/paths.ts';
import { unavailableNote } from '../platform/html/notes.ts';
import { when } from '../platform/html/when.ts';
import { mergeCard } from '../rollouts/merge-card.ts';
import { stopNote } from '../stops/stop-note.ts';
import type { ShownStop } from '../access/stops/shown-stops.ts';
import { groupByMerge, type LaneGroup } from './lane-groups.ts';
import { waitText } from './lane-look.ts';
import { laneForm } from './lane-offers.ts';

/** More than anybody reads; the rest is behind a link. */
const SHOWN = 50;

/** The others are on a page of their own. */
const MERGES_SHOWN = 5;

/** So many lanes of a merge are seen without a click. */
const OPEN = 3;

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

export function attentionBody(
  { lanes: list, hosts, rollouts, mayAskDoctor }: ShownAttention,
  stops: readonly ShownStop[],
  actor?: Actor,
): Html {
  const all = groupByMerge(inOrder(list.items, [...STATES_FOR_A_PERSON, ...STATES_AT_WORK], actor?.login), rollouts);
  const waiting = all.filter(needsAPerson).toSorted((one, other) => Number(isHalted(other)) - Number(isHalted(one)));
  const working = all.filter((group) => !needsAPerson(group));
  const isAbove = new Set([...waiting.slice(0, SHOWN), ...working.slice(0, SHOWN)].map(({ rollout }) => rollout));
  const rest = rollouts.filter((rollout) => !isAbove.has(rollout));
  return liveState(
    html`${unavailableNote(list.unavailable)} ${stopNote(stops, '')}
      ${mayAskDoctor && isFirstVisit(list, rollouts) && BEGINNING}
      <section aria-labelledby="waits">
        <h2 id="waits">Needs a person</h2>
        ${waiting.length === 0 && (hosts ?? []).length === 0 ? html`<p class="card">Nothing needs a person.</p>` : cards(waiting, actor)}
        ${hosts === undefined ? html`<p class="card">Storage does not answer, so it is not known which hosts are away.</p>` : hosts.map(awayHost)}
      </section>
      <section aria-labelledby="works">
        <h2 id="works">At work</h2>
        ${working.length === 0 ? html`<p class="card">Nothing is deployed at this moment.</p>` : cards(working, actor)}
      </section>
      <section aria-labelledby="merges">
        <h2 id="merges">Last merges</h2>
        ${
          rest.length === 0
            ? html`<p class="card">
                ${rollouts.length === 0 ? 'Nothing was merged in the last days that deploys a root.' : 'All merges of the last days are above.'}
              </p>`
            : html`<ul class="merges">
                  ${rest.slice(0, MERGES_SHOWN).map((rollout) => mergeCard(rollout))}
                </ul>
                ${rest.length > MERGES_SHOWN && html`<p><a href="rollouts">All merges of the last days</a></p>`}`
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
  <p>Nothing has been deployed yet in the repositories that you may see.</p>
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

/** The most urgent lane comes first. */
function needsAPerson(group: LaneGroup): boolean {
  const [first] = group.lanes;
  if (isHalted(group)) return true;
  return first !== undefined && (STATES_FOR_A_PERSON as readonly LaneState[]).includes(first.state);
}

/** All of its other waves wait for a person. */
function isHalted({ rollout }: LaneGroup): boolean {
  return rollout?.halted !== undefined;
}

/** One merge is one card, with the lanes that it holds; other lanes are cards of their own. */
function cards(groups: readonly LaneGroup[], actor: Actor | undefined): Html {
  return html`<ul class="merges">
      ${groups.slice(0, SHOWN).map((group) => card(group, actor))}
    </ul>
    ${groups.length > SHOWN && html`<p><a href="lanes">${groups.length - SHOWN} more, among all lanes</a></p>`}`;
}

function card({ rollout, lanes }: LaneGroup, actor: Actor | undefined): Html {
  if (rollout === undefined) return html`${lanes.map((lane) => html`<li class="card">${laneText(lane, actor)}</li>`)}`;
  return mergeCard(
    rollout,
    html`<details ${lanes.length <= OPEN && html` open`}>
      <summary>${rootsText(lanes.length, rollout)}</summary>
      <ul class="rows">
        ${lanes.slice(0, SHOWN).map((lane) => html`<li>${laneText(lane, actor, true)}</li>`)}
      </ul>
      ${lanes.length > SHOWN && html`<p><a href="${rolloutPath(rollout.repository, rollout.sha)}">${lanes.length - SHOWN} more</a></p>`}
    </details>`,
  );
}

/** A merge may have further roots, which neither wait for a person nor are at work. */
function rootsText(count: number, { counts }: RolloutSummary): string {
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0);
  if (count === all) return count === 1 ? 'Its root' : `All of its ${all} roots`;
  return `${count} of its ${all} roots`;
}

/** Below a merge, nobody has to read its repository and title again. */
function laneText(lane: LaneSummary, actor: Actor | undefined, isBelowMerge = false): Html {
  const { repository, rootName, state, sentence, running } = lane;
  const about = isBelowMerge ? '' : html`“<bdi>${running?.title}</bdi>” by ${running?.requestedBy}: `;
  return html`${stateMark(LANE_LOOK[state])}
    <a href="lanes/${repository}/${rootName}">${rootName}</a>
    ${!isBelowMerge && html`<span class="quiet">${repository}</span>`}
    ${sentence !== undefined && html`<span class="detail">${waitText(lane, '')}</span>`}
    ${running && html`<span class="detail">${about}${deploymentLinks(running)}</span>`}
    ${laneForm('unlock', lane, actor, '')}`;
}

function deploymentLinks({ path, checkRun, status }: NonNullable<LaneSummary['running']>): Html {
  const toPlan = status === 'awaiting-review' ? 'Review the plan' : 'Follow it';
  return html`<a href="${path}">${toPlan}</a>${checkRun !== undefined && html`, <a href="${checkRun}">check run</a>`}`;
}

function awayHost({ id, at }: HostSummary): Html {
  return html`<p class="card">
    ${stateMark(HOST_LOOK.away, 'Host away')} <a href="hosts#host-${id}">${id}</a>, last heard from ${when(at)}
  </p>`;
}

function countLink(state: LaneState, count: number): readonly Html[] {
  if (count === 0) return [];
  return [html`<li><a href="lanes?state=${state}">${LANE_LOOK[state].word}: ${count}</a></li>`];
}
