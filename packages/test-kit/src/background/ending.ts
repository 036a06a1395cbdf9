import { constants } from 'node:os';

/** How a process ended. */
export type Ending =
  { readonly kind: 'exited'; readonly exitCode: number } | { readonly kind: 'killed'; readonly signal: NodeJS.Signals };

/** A shell's exit code for a killed program is this much more than the number of the signal. */
const KILLED = 128;

/** The exit code by which a program tells how another one ended. */
export function exitCodeOf(exitCode: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (exitCode ?? 1) : KILLED + constants.signals[signal];
}

/** The inverse of `exitCodeOf`. */
export function endingOf(exitCode: number): Ending {
  // Object.entries forgets that the names are those of signals.
  const signals = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  const [signal] = signals.find(([, number]) => number === exitCode - KILLED) ?? [];
  return signal === undefined ? { kind: 'exited', exitCode } : { kind: 'killed', signal };
}

/** As the end of a sentence: `ended with exit code 3`. */
export function describeEnding(ending: Ending): string {
  return ending.kind === 'exited' ? `ended with exit code ${ending.exitCode}` : `was killed by ${ending.signal}`;
}
