/** Which windows are about a root, and whether they are open. */
import type { RootPlace } from '../glob.ts';
import { isInScope } from '../scope/scope.ts';
import type { ChangeWindow, WindowDoor } from './change-window.ts';
import { occurrencesBetween } from './recurrence.ts';

/** The windows of one directory. All directories of a root have to be open. */
type WindowsOfPlace = readonly ChangeWindow[];

export type WindowState =
  /** `closesAt` is in epoch milliseconds, like `opensAt`: absent if that is years away, or never. */
  | { readonly kind: 'open'; readonly closesAt?: number }
  | { readonly kind: 'closed'; readonly by: ChangeWindow; readonly opensAt?: number };

/** An opening or a closing. */
export interface WindowTransition {
  /** In epoch milliseconds. */
  readonly at: number;
  readonly kind: 'opens' | 'closes';
  /** That begins or ends then. */
  readonly windows: readonly ChangeWindow[];
}

const DAY_MS = 86_400_000;

/** Most windows change within a week, and the others within a year. No later change is looked for. */
const HORIZONS_MS = [8 * DAY_MS, 62 * DAY_MS, 800 * DAY_MS];

/** The windows of a root at a door; empty where there is none. `repository` is `owner/name`. */
export function windowsFor(
  { windows }: { readonly windows: readonly ChangeWindow[] },
  repository: string,
  { name, dirs }: RootPlace,
  door: WindowDoor,
): readonly WindowsOfPlace[] {
  const atDoor = windows.filter(({ doors }) => doors.includes(door));
  const places: readonly RootPlace[] = dirs?.map((dir) => ({ name, dirs: [dir] })) ?? [{ name }];
  return places
    .map((root) => atDoor.filter((window) => isInScope(window, { repository, root })))
    .filter((own) => own.length > 0);
}

/** `now` is in epoch milliseconds. */
export function windowStateAt(places: readonly WindowsOfPlace[], now: number): WindowState {
  const by = closedBy(places, insideAt(boundsBetween(places, now, now), now));
  const transition = findTransitions(places, now, 1)[0]?.at;
  if (by === undefined) return { kind: 'open', ...(transition !== undefined && { closesAt: transition }) };
  return { kind: 'closed', by, ...(transition !== undefined && { opensAt: transition }) };
}

/** When open windows close, if that is the next that happens between the two times. */
export function closingBetween(places: readonly WindowsOfPlace[], from: number, to: number): number | undefined {
  if (places.length === 0) return undefined;
  const [next] = findTransitionsBetween(places, from, to, 1);
  return next?.kind === 'closes' ? next.at : undefined;
}

/** Whether one of these windows begins or ends after the one time, and until the other. */
export function changesBetween(windows: WindowsOfPlace, from: number, to: number): boolean {
  return boundsBetween([windows], from, to).some(({ at }) => at > from && at <= to);
}

/** The next openings and closings, at most so many. */
export function findTransitions(
  places: readonly WindowsOfPlace[],
  now: number,
  limit: number,
): readonly WindowTransition[] {
  if (places.length === 0) return [];
  for (const horizon of HORIZONS_MS) {
    const transitions = findTransitionsBetween(places, now, now + horizon, limit);
    if (transitions.length >= limit || horizon === HORIZONS_MS.at(-1)) return transitions;
  }
  return [];
}

/** Where an occurrence of a window begins or ends. */
interface Bound {
  /** In epoch milliseconds. */
  readonly at: number;
  readonly window: ChangeWindow;
  readonly step: 1 | -1;
}

/** How many occurrences of each window a time is inside of. */
type Inside = Map<ChangeWindow, number>;

/** Of all occurrences that last at some time between the two, from the first to the last. */
function boundsBetween(places: readonly WindowsOfPlace[], from: number, to: number): readonly Bound[] {
  return [...new Set(places.flat())]
    .flatMap((window) =>
      occurrencesBetween(window, from, to).flatMap((one): readonly Bound[] => [
        { at: one.from, window, step: 1 },
        { at: one.to, window, step: -1 },
      ]),
    )
    .toSorted((one, other) => one.at - other.at);
}

function insideAt(bounds: readonly Bound[], at: number): Inside {
  const inside: Inside = new Map();
  for (const bound of bounds) if (bound.at <= at) pass(inside, bound);
  return inside;
}

function pass(inside: Inside, { window, step }: Bound): void {
  inside.set(window, (inside.get(window) ?? 0) + step);
}

function findTransitionsBetween(
  places: readonly WindowsOfPlace[],
  from: number,
  to: number,
  limit: number,
): readonly WindowTransition[] {
  const bounds = boundsBetween(places, from, to);
  const inside = insideAt(bounds, from);
  const transitions: WindowTransition[] = [];
  let wasOpen = closedBy(places, inside) === undefined;
  let changing = new Set<ChangeWindow>();
  for (const [place, bound] of bounds.entries()) {
    if (bound.at <= from || bound.at > to) continue;
    pass(inside, bound);
    changing.add(bound.window);
    // All that begins and ends at this time counts together.
    if (bounds[place + 1]?.at === bound.at) continue;
    const isOpen = closedBy(places, inside) === undefined;
    if (isOpen !== wasOpen)
      transitions.push({ at: bound.at, kind: isOpen ? 'opens' : 'closes', windows: [...changing] });
    if (transitions.length === limit) break;
    wasOpen = isOpen;
    changing = new Set();
  }
  return transitions;
}

/** The window that keeps a root closed: a `deny` that it is inside of, or else an `allow` that it is not inside of. */
function closedBy(places: readonly WindowsOfPlace[], inside: Inside): ChangeWindow | undefined {
  for (const windows of places) {
    const isInside = (window: ChangeWindow) => (inside.get(window) ?? 0) > 0;
    const denying = windows.find((window) => window.kind === 'deny' && isInside(window));
    if (denying !== undefined) return denying;
    const allowing = windows.filter(({ kind }) => kind === 'allow');
    if (allowing.length > 0 && !allowing.some(isInside)) return allowing[0];
  }
  return undefined;
}
