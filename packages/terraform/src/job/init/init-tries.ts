/**
 * Tries an init again when it failed because of the network: an init reads from backends and fetches modules and providers
 * from many places, and changes nothing outside its tree.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from '@nereid/domain/host';
import type { JobOptions } from '../job-options.ts';
import type { StepResult } from '../step-result.ts';

/** Most failures pass in a moment; a registry that restarts takes seconds. A longer outage fails the init. */
const PAUSES_MS = [1_000, 5_000];

/** `init` gets the number of the try, from 1. Returns the result of the last try. */
export async function tryInit(
  { log, signal, initPausesMs = PAUSES_MS }: Pick<JobOptions, 'log' | 'signal' | 'initPausesMs'>,
  init: (attempt: number) => Promise<StepResult>,
): Promise<StepResult> {
  for (const [index, pauseMs] of initPausesMs.entries()) {
    const result = await init(index + 1);
    if (result.kind !== 'failed' || !isOfTheNetwork(result.failure)) return result;
    const which = `${index + 2} of ${initPausesMs.length + 1}`;
    await log(Buffer.from(`\nA network error: the init is tried again in ${pauseMs / 1_000} s (${which}).\n\n`));
    await pause(pauseMs, signal);
  }
  return init(initPausesMs.length + 1);
}

/** The words of Go's and Terraform's errors. */
const NETWORK =
  /\bdial (?:tcp|udp)\b|\bi\/o timeout\b|\bconnection (?:reset|refused|timed out)\b|\bTLS handshake timeout\b|\bno such host\b|\bserver misbehaving\b|\bEOF\b|\bClient\.Timeout exceeded\b|\bdeadline exceeded\b|\b(?:429 Too Many Requests|500 Internal Server Error|502 Bad Gateway|503 Service Unavailable|504 Gateway Time-?out)\b|\bbad response code: (?:429|5\d\d)\b/i;

/** Terraform may break a line between any two words, so the lines are joined. */
function isOfTheNetwork({ summary, lines }: Failure): boolean {
  return NETWORK.test([summary, ...lines].join(' ').replaceAll(/\s+/g, ' '));
}

/** Returns early when the job is stopped: the next try then reports the stop. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}
