/** The page `/stops`. A pure function of the API's answer. */
import type { StopList, StopSummary } from '@nereid/api';
import { STOP_LENGTH, STOP_LENGTH_FORM } from '@nereid/domain/actions';
import { ALL_POOLS, describeForgedStops, describePool, UNVERIFIED_STOPS } from '@nereid/domain/gates';
import { capitalised } from '@nereid/domain/words';
import { named } from '../access/sight.ts';
import { buttonForm, REASON_INPUT } from '../actions/buttons.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { when } from '../platform/html/when.ts';

export interface StopsLook {
  /** Each has a card: names, or `*` for all of them. */
  readonly pools: readonly string[];
  readonly actor: Actor | undefined;
  /** The actor, if they may stop pools. */
  readonly operator: Actor | undefined;
}

export function stopsBody(list: StopList, { pools, actor, operator }: StopsLook): Html {
  const { items, areUnreadable, areUnverified, forged = 0 } = list;
  const byPool = Map.groupBy(items, poolOf);
  const byRepository = Map.groupBy(
    items.filter((stop) => 'repository' in stop),
    ({ repository }) => repository,
  );
  // Also of pools that the server's file no longer has.
  const names = [...new Set([...pools, ...byPool.keys()])].filter((name) => name !== undefined);
  const look = { isKnown: areUnreadable !== true, isVerified: areUnverified !== true };
  return html`${!look.isKnown && UNREADABLE}${!look.isVerified && items.length > 0 && warning(UNVERIFIED_STOPS)}${forged > 0 && warning(describeForgedStops(forged))}
    ${names.length === 0 && items.length === 0 && NOTHING_SEEN}
    <ul class="cards">
      ${names.map((pool) => poolCard(pool, byPool.get(pool) ?? [], { ...look, operator }))}
      ${Array.from(byRepository, ([repository, stops]) => repositoryCard(repository, stops, { ...look, actor }))}
    </ul>`;
}

function poolOf(stop: StopSummary): string | undefined {
  if (stop.of === 'all') return ALL_POOLS;
  return stop.of === 'pool' ? stop.pool : undefined;
}

const UNREADABLE = html`<p class="note warning">
  The record of these stops is broken, so nothing begins anywhere. The log of the console says why. Thaw all
  repositories to replace it.
</p>`;

function warning(sentence: string): Html {
  return html`<p class="note warning" role="alert">${sentence}</p>`;
}

const NOTHING_SEEN = html`<p class="note">None of the repositories that you may see is stopped.</p>`;

interface CardLook {
  /** Whether the stops of pools could be read. */
  readonly isKnown: boolean;
  /** Whether control's signatures of the stops were verified. */
  readonly isVerified: boolean;
}

function poolCard(
  pool: string,
  stops: readonly StopSummary[],
  { isKnown, isVerified, operator }: CardLook & Pick<StopsLook, 'operator'>,
): Html {
  const id = pool === ALL_POOLS ? 'all' : pool;
  return html`<li class="card" id="pool-${id}">
    <h2>${capitalised(describePool(pool))}</h2>
    ${isKnown && stops.length === 0 && html`<p class="status good"><strong>Not stopped</strong></p>`}
    ${stops.map((stop) => stopOf(stop, isVerified))} ${operator && poolForms(pool, `-${id}`, operator)}
  </li>`;
}

/** A record that cannot be read is thawed, too. */
function poolForms(pool: string, idSuffix: string, operator: Actor): Html {
  const button = { parameters: { pool }, idSuffix };
  return html`<div class="acts">
    ${buttonForm(operator, '', { ...button, action: 'stop_pool', inputs: TERMS })}
    ${buttonForm(operator, '', { ...button, action: 'thaw_pool' })}
  </div>`;
}

const TERMS = html`<label
    >For (${STOP_LENGTH.shortest} to ${STOP_LENGTH.longest})
    <input
      name="for"
      required
      value="2h"
      pattern="${STOP_LENGTH_FORM.source}"
      title="A time from ${STOP_LENGTH.shortest} to ${STOP_LENGTH.longest}, like 2h"
      size="5"
      autocomplete="off"
  /></label>
  ${REASON_INPUT}`;

function repositoryCard(
  repository: string,
  stops: readonly StopSummary[],
  { isVerified, actor }: CardLook & Pick<StopsLook, 'actor'>,
): Html {
  const idSuffix = `-${repository.replace('/', '-')}`;
  return html`<li class="card">
    <h2>${repository}</h2>
    ${stops.map((stop) => stopOf(stop, isVerified))}
    ${actor && buttonForm(actor, '', { action: 'thaw', parameters: { ...named(repository) }, idSuffix })}
  </li>`;
}

function stopOf(stop: StopSummary, isVerified: boolean): Html {
  const { by, reason, at, until } = stop;
  return html`<p class="status ${isVerified ? 'bad' : 'waiting'}">
      <strong>${isVerified ? 'Stopped' : 'Not verified: stopped'}, ends ${when(until)}</strong>
      <span>by @${by}, ${when(at)}${stop.of === 'directories' && html`, in ${stop.directories.join(', ')}`}</span>
    </p>
    <p><bdi>${reason}</bdi></p>`;
}
