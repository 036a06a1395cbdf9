/** How a wave of a merge's roots stands, in words. */
import type { WaitAtGate } from '../../deployment/wait-reason.ts';

/** A wave that is not over. */
export interface WaveBefore {
  /** By the server's file. */
  readonly name: string;
  /** From 1. */
  readonly number: number;
  /** How many waves there are. */
  readonly of: number;
  /** "30m"; absent where it does not soak. */
  readonly soak?: string;
  readonly standing: WaveWaits;
}

export type WaveWaits =
  /** Some of its roots are not deployed. */
  | { readonly kind: 'open'; readonly rootNames: readonly string[] }
  /** One of its roots ended without taking effect: "failed to apply". */
  | { readonly kind: 'halted'; readonly rootName: string; readonly how: string }
  /** One of its checks failed too often: "answered 500, expected 200 to 299", at "Mon 12:30 UTC". */
  | {
      readonly kind: 'check-failed';
      readonly check: string;
      readonly failures: number;
      readonly answer: string;
      readonly said: string;
    }
  /**
   * All of its roots are deployed. `until` is in epoch milliseconds, and `said` is "Mon 12:30 UTC". `checks`: how it stands with its
   * checks, without which it is not over at that time.
   */
  | { readonly kind: 'soaking'; readonly until: number; readonly said: string; readonly checks?: string }
  /** It has soaked, and its checks have not passed since then. */
  | { readonly kind: 'checking'; readonly checks: string };

/** More would not fit into a title. */
const NAMED = 2;

/** "waits for wave 1 of 3 (canary): network, dns; then it soaks for 30m". */
export function describeWave(wave: WaveBefore): string {
  const { soak, standing } = wave;
  switch (standing.kind) {
    case 'open': {
      const then = soak === undefined ? '' : `; then it soaks for ${soak}`;
      return `waits for ${waveName(wave)}: ${rootsText(standing.rootNames)}${then}`;
    }
    case 'halted': {
      const { rootName, how } = standing;
      return `is halted by ${waveName(wave)}: ${rootName} ${how}. A merged fix of ${rootName}, or Re-run on it, resumes the rollout`;
    }
    case 'check-failed':
      return `is halted by ${describeFailedCheck(wave, standing)}`;
    case 'soaking': {
      const checks = standing.checks === undefined ? '' : `; ${standing.checks}`;
      return `waits for ${waveName(wave)}, which soaks until ${standing.said}${checks}`;
    }
    case 'checking':
      return `waits for the checks of ${waveName(wave)}, which has soaked; ${standing.checks}`;
  }
}

/** "wave 1 of 3 (canary): its check errors failed once, at Mon 12:30 UTC, and answered 500. A merged fix …". */
export function describeFailedCheck(
  wave: Pick<WaveBefore, 'name' | 'number' | 'of'>,
  { check, failures, answer, said }: Extract<WaveWaits, { readonly kind: 'check-failed' }>,
): string {
  const times = failures === 1 ? `once, at ${said}` : `${failures} times in a row, last at ${said}`;
  return `${waveName(wave)}: its check ${check} failed ${times}, and ${answer}. A merged fix of one of its roots, or Re-run on the check run of one, resumes the rollout`;
}

/** Whether a deployment waits at the gate `soak` because a wave is halted. Only that is ended by a re-run. */
export function isAtHaltedWave({ gate, who }: Pick<WaitAtGate, 'gate' | 'who'>): boolean {
  return gate === 'soak' && who.includes('rerun');
}

/** The root whose failed deployment halts the wave, by the words of `describeWave`: hostile. Undefined where they name none. */
export function haltingRootIn(sentence: string): string | undefined {
  return /\. A merged fix of (?<root>\S+), or Re-run on it, resumes the rollout$/.exec(sentence)?.groups?.['root'];
}

/** "wave 1 of 3 (canary)". */
export function waveName({ name, number, of }: Pick<WaveBefore, 'name' | 'number' | 'of'>): string {
  return `wave ${number} of ${of} (${name})`;
}

function rootsText(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
