/** The page `/stops`. A pure function of the API's answer. */
import type { StopList, StopSummary } from '@nereid/api';
import { ALL_POOLS } from '@nereid/domain/gates';
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

export function stopsBody({ items, areUnreadable }: StopList, { pools, actor, operator }: StopsLook): Html {
  const byPool = Map.groupBy(items, ({ pool }) => pool);
  const byRepository = Map.groupBy(byPool.get(undefined) ?? [], ({ repository = '' }) => repository);
  byPool.delete(undefined);
  // Also of pools that the server's file no longer has.
  const names = [...new Set([...pools, ...byPool.keys()])].filter((name) => name !== undefined);
  const isKnown = areUnreadable !== true;
  return html`${!isKnown && UNREADABLE}${names.length === 0 && items.length === 0 && NOTHING_SEEN}
    <ul class="cards">
      ${names.map((pool) => poolCard(pool, byPool.get(pool) ?? [], { isKnown, operator }))}
      ${Array.from(byRepository, ([repository, stops]) => repositoryCard(repository, stops, actor))}
    </ul>`;
}

const UNREADABLE = html`<p class="note warning">
  The record of these stops is broken, so nothing begins anywhere. The log of the console says why. Thaw all
  repositories to replace it.
</p>`;

const NOTHING_SEEN = html`<p class="note">No repository is stopped of those that you may see.</p>`;

interface PoolLook extends Pick<StopsLook, 'operator'> {
  /** Whether its stops could be read. */
  readonly isKnown: boolean;
}

function poolCard(pool: string, stops: readonly StopSummary[], { isKnown, operator }: PoolLook): Html {
  const isAll = pool === ALL_POOLS;
  const id = isAll ? 'all' : pool;
  return html`<li class="card" id="pool-${id}">
    <h2>${isAll ? 'All repositories' : `Pool ${pool}`}</h2>
    ${isKnown && stops.length === 0 && html`<p class="status good"><strong>Not stopped</strong></p>`}
    ${stops.map(stopOf)} ${operator && poolForms(pool, `-${id}`, operator)}
  </li>`;
}

/** A record that cannot be read is thawed, too. */
function poolForms(pool: string, idSuffix: string, operator: Actor): Html {
  const button = { parameters: { pool }, idSuffix };
  return html`${buttonForm(operator, '', { ...button, action: 'stop_pool', inputs: TERMS })}
  ${buttonForm(operator, '', { ...button, action: 'thaw_pool' })}`;
}

const TERMS = html`<label>For <input name="for" required value="2h" maxlength="6" size="5" autocomplete="off" /></label>
  ${REASON_INPUT}`;

function repositoryCard(repository: string, stops: readonly StopSummary[], actor: Actor | undefined): Html {
  const idSuffix = `-${repository.replace('/', '-')}`;
  return html`<li class="card">
    <h2>${repository}</h2>
    ${stops.map(stopOf)}
    ${actor && buttonForm(actor, '', { action: 'thaw', parameters: { ...named(repository) }, idSuffix })}
  </li>`;
}

function stopOf({ by, reason, at, until, directories = [] }: StopSummary): Html {
  return html`<p class="status bad">
      <strong>Stopped; ends ${when(until)}</strong>
      <span>by @${by}, ${when(at)}${directories.length > 0 && html`, in ${directories.join(', ')}`}</span>
    </p>
    <p><bdi>${reason}</bdi></p>`;
}
