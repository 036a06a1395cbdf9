/** Which windows are about a root, and whether they are open. */
import type { RootPlace } from '../glob.ts';
import { isInScope } from '../scope/scope.ts';
import type { ChangeWindow, WindowDoor } from './change-window.ts';
import { beginningsBetween } from './recurrence.ts';

/** The windows of one directory. All directories of a root have to be open. */
type WindowsOfPlace = readonly ChangeWindow[];

export type WindowState =
  /** `closesAt` is in epoch milliseconds, like `opensAt`: absent if that is years away, or never. */
  | { readonly kind: 'open'; readonly closesAt?: number }
  | { readonly kind: 'closed'; readonly by: ChangeWindow; readonly opensAt?: number };

/** An opening or a closing. */
export interface WindowTurn {
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
  const by = closedBy(timelineOf(places, now, now), now);
  const turn = turnsAfter(places, now, 1)[0]?.at;
  if (by === undefined) return { kind: 'open', ...(turn !== undefined && { closesAt: turn }) };
  return { kind: 'closed', by, ...(turn !== undefined && { opensAt: turn }) };
}

/** The next openings and closings, at most so many. */
export function turnsAfter(places: readonly WindowsOfPlace[], now: number, limit: number): readonly WindowTurn[] {
  if (places.length === 0) return [];
  for (const horizon of HORIZONS_MS) {
    const turns = turnsBetween(places, now, now + horizon, limit);
    if (turns.length >= limit || horizon === HORIZONS_MS.at(-1)) return turns;
  }
  return [];
}

interface Interval {
  readonly window: ChangeWindow;
  readonly from: number;
  /** Not part of it. */
  readonly to: number;
}

type Timeline = readonly { readonly windows: WindowsOfPlace; readonly intervals: readonly Interval[] }[];

function timelineOf(places: readonly WindowsOfPlace[], from: number, to: number): Timeline {
  return places.map((windows) => ({
    windows,
    intervals: windows.flatMap((window) =>
      beginningsBetween(window, from - window.durationMs, to).map((at) => ({
        window,
        from: at,
        to: at + window.durationMs,
      })),
    ),
  }));
}

function turnsBetween(
  places: readonly WindowsOfPlace[],
  from: number,
  to: number,
  limit: number,
): readonly WindowTurn[] {
  const timeline = timelineOf(places, from, to);
  const intervals = timeline.flatMap((place) => place.intervals);
  const times = new Set(intervals.flatMap((one) => [one.from, one.to]).filter((at) => at > from && at <= to));
  const turns: WindowTurn[] = [];
  let wasOpen = closedBy(timeline, from) === undefined;
  for (const at of [...times].toSorted((one, other) => one - other)) {
    const isOpen = closedBy(timeline, at) === undefined;
    if (isOpen !== wasOpen) {
      const changing = intervals.filter((one) => one.from === at || one.to === at).map(({ window }) => window);
      turns.push({ at, kind: isOpen ? 'opens' : 'closes', windows: [...new Set(changing)] });
    }
    if (turns.length === limit) break;
    wasOpen = isOpen;
  }
  return turns;
}

/** The window that keeps a root closed: a `deny` that it is inside of, or else an `allow` that it is not inside of. */
function closedBy(timeline: Timeline, at: number): ChangeWindow | undefined {
  for (const { windows, intervals } of timeline) {
    const inside = intervals.filter(({ from, to }) => from <= at && at < to).map(({ window }) => window);
    const denying = inside.find(({ kind }) => kind === 'deny');
    if (denying !== undefined) return denying;
    const allowing = windows.filter(({ kind }) => kind === 'allow');
    if (allowing.length > 0 && !inside.some(({ kind }) => kind === 'allow')) return allowing[0];
  }
  return undefined;
}
