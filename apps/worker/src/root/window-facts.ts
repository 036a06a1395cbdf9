/** What the windows of the server's file say of a root at this moment, by the clock of control. */
import { placeOf, windowFact, windowsFor, windowStateAt, type ServerConfig } from '@nereid/config';
import type { GateFacts } from '@nereid/domain/gates';
import type { BreakGlass, Plan } from '@nereid/domain/plan';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';

interface AtDoor {
  readonly repository: Repository;
  readonly root: Root;
  readonly door: 'plan' | 'apply';
  /** Absent before there is one. */
  readonly plan?: Plan;
  /** A person lets the deployment pass. Proven. */
  readonly glass?: Signed<BreakGlass>;
}

/** An apply begins this much before a closing at the latest: its host goes by a clock of its own. */
export const CLOCKS_MS = 30_000;

/** A plan without changes applies nothing for which a window would have to be open. */
export function windowFacts(server: Pick<ServerConfig, 'windows'>, at: AtDoor): GateFacts['window'] {
  if (at.plan?.made.body.hasChanges === false || at.glass !== undefined) return {};
  const now = Date.now();
  return windowFact(stateAt(server, at, now), now);
}

/** How long an apply that gets permission now may take until it begins, in milliseconds: never past the closing of a window. */
export function beginMs(server: Pick<ServerConfig, 'windows'>, at: Omit<AtDoor, 'door'>, limitMs: number): number {
  if (at.plan?.made.body.hasChanges === false || at.glass !== undefined) return limitMs;
  const now = Date.now();
  const state = stateAt(server, { ...at, door: 'apply' }, now);
  if (state.kind === 'closed') return 0;
  return state.closesAt === undefined ? limitMs : Math.min(limitMs, state.closesAt - CLOCKS_MS - now);
}

/** For applies, a window that is about to close is closed: no host could begin one in time. */
function stateAt(server: Pick<ServerConfig, 'windows'>, { repository, root, door }: AtDoor, now: number) {
  const windows = windowsFor(server, fullName(repository), placeOf(root), door);
  const state = windowStateAt(windows, now);
  const isClosing = state.kind === 'open' && state.closesAt !== undefined && state.closesAt - CLOCKS_MS <= now;
  return door === 'apply' && isClosing ? windowStateAt(windows, state.closesAt) : state;
}
