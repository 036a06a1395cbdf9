/** What was typed after `nereid temporal replay`. */
import { parseArgs } from 'node:util';
import { UsageError } from '../operator/command.ts';

export interface TypedOptions {
  /** The bundle of another build, or a folder with its image; undefined: of this one. */
  readonly other: string | undefined;
  /** A bundle of this build; undefined for that of the image, or one from the sources. */
  readonly own: string | undefined;
  readonly withinMs: number;
}

export const USAGE = `Usage, with the TEMPORAL_… variables and the PAYLOAD_KEY of a control worker:

  nereid temporal replay [--with FILE_OR_FOLDER] [--within TIME]
  node apps/worker/src/replay/main.ts [--with FILE_OR_FOLDER] [--within TIME]      in the image of a worker

--with names the workflow bundle of another build, or a folder with the files of its worker's image.
TIME is like 90s, 10m or 1h; default: 10m.`;

/** An image that upgrades is waited for; ten thousand open workflows take less. */
const DEFAULT_WITHIN = '10m';

const OPTIONS = { with: { type: 'string' }, within: { type: 'string' }, workflows: { type: 'string' } } as const;

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Throws a `UsageError`. */
export function readOptions(args: readonly string[]): TypedOptions {
  const { with: other, workflows: own, within = DEFAULT_WITHIN } = parsed(args);
  const { count, unit } = /^(?<count>[1-9]\d{0,4})(?<unit>[smh])$/.exec(within)?.groups ?? {};
  if (count === undefined) throw new UsageError(`expected a time like 90s, 10m or 1h after --within, found ${within}`);
  return { other, own, withinMs: Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS] }; // The pattern has no others.
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}
