/** `nereid windows`: when a root is planned and applied, by the server's file. */
import type { RootPlace } from '../server/glob.ts';
import type { ServerConfig } from '../server/server-config.ts';
import { describeTime, describeWindow } from '../server/windows/describe-window.ts';
import { findTransitions, windowsFor, windowStateAt, type WindowTransition } from '../server/windows/window-state.ts';

type Places = ReturnType<typeof windowsFor>;

/** As many as fit on a screen, and mostly more than a week. */
const LISTED = 10;

const DOORS = { plan: 'plans', apply: 'applies' } as const;

/** `repository` is `owner/name`; `now` is in epoch milliseconds. */
export function listWindows(
  config: Pick<ServerConfig, 'windows'>,
  repository: string,
  place: RootPlace,
  now: number,
): readonly string[] {
  const doors = (['plan', 'apply'] as const)
    .map((door) => ({ door, places: windowsFor(config, repository, place, door) }))
    .filter(({ places }) => places.length > 0);
  if (doors.length === 0) return [`No window covers ${place.name} in ${repository}: it is always open.`];
  return doors.flatMap(({ door, places }) => linesOf(DOORS[door], places, now));
}

function linesOf(what: string, places: Places, now: number): readonly string[] {
  const state = windowStateAt(places, now);
  const head = state.kind === 'open' ? 'open now' : `closed now (${describeWindow(state.by)})`;
  const transitions = findTransitions(places, now, LISTED);
  const none = transitions.length === 0 ? ['  nothing changes within two years'] : [];
  return [`${what}: ${head}`, ...transitions.map((transition) => lineOf(transition, now)), ...none];
}

function lineOf({ at, kind, windows }: WindowTransition, now: number): string {
  const zone = windows[0]?.timezone ?? 'UTC';
  return `  ${kind.padEnd(6)}  ${describeTime(zone, at, now)}  ${windows.map(({ name }) => name).join(', ')}`;
}
