/**
 * How a command ended, in one shape for short and for supervised commands.
 *
 * An end has one cause, the truest: timed out → cancelled → host shutting down → output limit → could not start → killed by
 * signal → exit code. A known exit code or signal is given beside the cause that outranks it.
 */
import { constants } from 'node:os';
import { outrankingCause, type StopCause, type StoppedBy } from './stop-cause.ts';

export type CommandResult = CommandEnd & CommandFacts;

export type CommandEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | ({ readonly kind: 'stopped'; readonly cause: StopCause; readonly stoppedBy: StoppedBy } & Partial<ExitStatus>)
  | { readonly kind: 'could-not-start'; readonly why: string }
  /** The command ran, is gone, and left no exit code: its supervisor was killed, or its machine went down. */
  | { readonly kind: 'lost' };

export interface CommandFacts {
  readonly durationMs: number;
  /** How many bytes of its output were read. */
  readonly outputBytes: number;
  /** The error that `onOutput` threw. From then on the command was followed to its end without `onOutput`. */
  readonly outputError?: unknown;
}

/** The system's report about an ended process; one of the two is set. */
export interface ExitStatus {
  readonly exitCode: number;
  readonly signal: NodeJS.Signals;
}

/** The facts at the end of a command; `chooseEnd` turns them into one end. */
export interface EndFacts {
  readonly stopCauses: ReadonlySet<StopCause>;
  readonly stoppedBy: StoppedBy;
  readonly whyNotStarted?: string | undefined;
  readonly status?: Partial<ExitStatus> | undefined;
}

export function chooseEnd({ stopCauses, stoppedBy, whyNotStarted, status }: EndFacts): CommandEnd {
  const cause = outrankingCause(stopCauses);
  if (cause !== undefined) return { kind: 'stopped', cause, stoppedBy, ...status };
  if (whyNotStarted !== undefined) return { kind: 'could-not-start', why: whyNotStarted };
  if (status?.signal !== undefined) return { kind: 'killed', signal: status.signal };
  if (status?.exitCode !== undefined) return { kind: 'exited', exitCode: status.exitCode };
  return { kind: 'lost' };
}

/** Shells report a command that a signal killed as 128 plus the signal's number; no Terraform exit code is above 2. */
export const SIGNAL_BASE = 128;

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** Reads an exit code as a shell reports it. */
export function statusOfShell(code: number): Partial<ExitStatus> {
  const name = signalNames.get(code - SIGNAL_BASE);
  // `constants.signals` has exactly the names of NodeJS.Signals as keys.
  return name === undefined ? { exitCode: code } : { signal: name as NodeJS.Signals };
}
