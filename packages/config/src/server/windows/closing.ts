/** Windows that are about to close: said before, so that nobody is surprised by an apply that waits. */
import { hasEnded, type Deployment } from '@nereid/domain/deployment';
import type { Root } from '@nereid/domain/root';
import { placeOf } from '../glob.ts';
import type { ChangeWindow } from './change-window.ts';
import { describeTime, describeTimeOfDay, describeWindow } from './describe-window.ts';
import { closingBetween, windowsFor, windowStateAt } from './window-state.ts';

export interface Closing {
  /** In epoch milliseconds. */
  readonly at: number;
  /** The name of the window that keeps the root closed from then on. */
  readonly window: string;
  /** "Closes Fri 18:00 Europe/Berlin (change freeze “Year end”): an apply that has not begun by then waits until Mon 08:00". */
  readonly sentence: string;
  /** The same as a clause: "an apply that has not begun by Fri 18:00 Europe/Berlin (change freeze “Year end”) waits until Mon 08:00". */
  readonly clause: string;
}

interface Closed extends Pick<Deployment, 'trigger' | 'progress'> {
  readonly root: Pick<Root, 'name' | 'dir' | 'realDir'>;
}

/** Long enough for somebody in another time zone. */
export const ANNOUNCED_MS = 24 * 3_600_000;

/** The closing within a day that can hold back the apply of this deployment. `repository` is `owner/name`; `now` in epoch milliseconds. */
export function closingFor(
  config: { readonly windows: readonly ChangeWindow[] },
  repository: string,
  { root, trigger, progress }: Closed,
  now: number,
): Closing | undefined {
  if (config.windows.length === 0 || trigger === 'preview' || !mayBegin(progress)) return undefined;
  const windows = windowsFor(config, repository, placeOf(root), 'apply');
  const at = closingBetween(windows, now, now + ANNOUNCED_MS);
  if (at === undefined) return undefined;
  const state = windowStateAt(windows, at);
  return state.kind === 'open' ? undefined : { at, window: state.by.name, ...describe(state, at, now) };
}

/**
 * A warning about the apply of this deployment: its root closes within a day, or is closed while people are asked to confirm. Undefined
 * without one. `repository` is `owner/name`; `now` in epoch milliseconds.
 */
export function windowAhead(
  config: { readonly windows: readonly ChangeWindow[] },
  repository: string,
  deployment: Closed,
  now: number,
): string | undefined {
  const closing = closingFor(config, repository, deployment, now);
  if (closing !== undefined) return closing.sentence;
  const { root, progress } = deployment;
  if (progress.status !== 'awaiting-review' || !mayBegin(progress)) return undefined;
  const state = windowStateAt(windowsFor(config, repository, placeOf(root), 'apply'), now);
  return state.kind === 'open' ? undefined : describeClosed(state, now);
}

/** A plan without changes needs no window, nor one that a person lets pass. */
function mayBegin({ status, plan, glass }: Deployment['progress']): boolean {
  if (hasEnded(status) || status === 'applying') return false;
  return plan?.made.body.hasChanges !== false && glass === undefined;
}

interface ClosedThen {
  readonly by: ChangeWindow;
  readonly opensAt?: number;
}

function describe({ by, opensAt }: ClosedThen, at: number, now: number): Pick<Closing, 'sentence' | 'clause'> {
  const { name, kind, timezone } = by;
  const why = kind === 'deny' ? `change freeze “${name}”` : `end of “${name}”`;
  const until =
    opensAt === undefined ? 'with no opening in sight' : `until ${describeTimeOfDay(timezone, opensAt, now)}`;
  const when = `${describeTime(timezone, at, now)} (${why})`;
  return {
    sentence: `Closes ${when}: an apply that has not begun by then waits ${until}`,
    clause: `an apply that has not begun by ${when} waits ${until}`,
  };
}

/** "Closed until Mon 08:00 Europe/Berlin (change freeze “Year end”): the apply waits until then, also once it is confirmed". */
function describeClosed({ by, opensAt }: ClosedThen, now: number): string {
  const why = describeWindow(by);
  return opensAt === undefined
    ? `Closed, with no opening in sight (${why}): the apply waits, also once it is confirmed`
    : `Closed until ${describeTime(by.timezone, opensAt, now)} (${why}): the apply waits until then, also once it is confirmed`;
}
