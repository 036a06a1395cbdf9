/** `nereid windows`: when a root is planned and applied, by the server's file. */
import { readFileSync } from 'node:fs';
import { foundAt } from '../environment/unreadable.ts';
import { readServerConfig } from '../server/read-server-config.ts';
import { describeTime, describeWindow } from '../server/windows/describe-window.ts';
import { turnsAfter, windowsFor, windowStateAt, type WindowTurn } from '../server/windows/window-state.ts';
import { formatProblem } from '../yaml/problem.ts';

type Places = ReturnType<typeof windowsFor>;

export type ListedWindows =
  { readonly kind: 'listed'; readonly lines: readonly string[] } | { readonly kind: 'wrong'; readonly why: string };

/** As many as fit on a screen, and mostly more than a week. */
const LISTED = 10;

const DOORS = { plan: 'plans', apply: 'applies' } as const;

/** `now` is in epoch milliseconds. */
export function listWindows(file: string, repository: string, dir: string, now: number): ListedWindows {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { kind: 'wrong', why: `expected the server's file, found ${foundAt(file, error)}; name it at the end` };
  }
  const read = readServerConfig(text);
  if (read.kind === 'invalid') {
    const [first] = read.problems;
    return { kind: 'wrong', why: first === undefined ? file : formatProblem(first, file) };
  }
  const { config } = read;
  const doors = (['plan', 'apply'] as const)
    .map((door) => ({ door, places: windowsFor(config, repository, { name: '', dirs: [dir] }, door) }))
    .filter(({ places }) => places.length > 0);
  if (doors.length === 0)
    return { kind: 'listed', lines: [`No window covers ${dir} in ${repository}: it is always open.`] };
  return { kind: 'listed', lines: doors.flatMap(({ door, places }) => linesOf(DOORS[door], places, now)) };
}

function linesOf(what: string, places: Places, now: number): readonly string[] {
  const state = windowStateAt(places, now);
  const head = state.kind === 'open' ? 'open now' : `closed now (${describeWindow(state.by)})`;
  const turns = turnsAfter(places, now, LISTED);
  const none = turns.length === 0 ? ['  nothing changes within two years'] : [];
  return [`${what}: ${head}`, ...turns.map((turn) => lineOf(turn, now)), ...none];
}

function lineOf({ at, kind, windows }: WindowTurn, now: number): string {
  const zone = windows[0]?.timezone ?? 'UTC';
  return `  ${kind.padEnd(6)}  ${describeTime(zone, at, now)}  ${windows.map(({ name }) => name).join(', ')}`;
}
