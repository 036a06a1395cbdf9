/** What the windows of the server's file say of a root at this moment, by the clock of control. */
import { describeTime, describeWindow, placeOf, windowsFor, windowStateAt, type ServerConfig } from '@nereid/config';
import type { GateFacts } from '@nereid/domain/gates';
import type { Plan } from '@nereid/domain/plan';
import { fullName, type Repository, type Root } from '@nereid/domain/root';

interface AtDoor {
  readonly repository: Repository;
  readonly root: Root;
  readonly door: 'plan' | 'apply';
  /** Absent before there is one. */
  readonly plan?: Plan;
}

/** A plan without changes applies nothing for which a window would have to be open. */
export function windowFacts(
  server: Pick<ServerConfig, 'windows'>,
  { repository, root, door, plan }: AtDoor,
): GateFacts['window'] {
  if (plan?.made.body.hasChanges === false) return {};
  const now = Date.now();
  const state = windowStateAt(windowsFor(server, fullName(repository), placeOf(root), door), now);
  if (state.kind === 'open') return {};
  const { by, opensAt } = state;
  const because = describeWindow(by);
  if (opensAt === undefined) return { closed: { because } };
  return { closed: { because, opens: { at: opensAt, said: describeTime(by.timezone, opensAt, now) } } };
}

/** How long permission to apply that is given now may be used to begin, in milliseconds: never past the closing of a window. */
export function beginMs(
  server: Pick<ServerConfig, 'windows'>,
  { repository, root, plan }: Omit<AtDoor, 'door'>,
  limitMs: number,
): number {
  const now = Date.now();
  if (plan?.made.body.hasChanges === false) return limitMs;
  const state = windowStateAt(windowsFor(server, fullName(repository), placeOf(root), 'apply'), now);
  return state.kind === 'open' && state.closesAt !== undefined ? Math.min(limitMs, state.closesAt - now) : limitMs;
}
