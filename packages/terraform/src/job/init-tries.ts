/**
 * An init that the network failed is tried again: it fetches backends, modules and providers from many places, and changes
 * nothing outside its tree.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from '@nereid/contracts';
import type { JobOptions } from './job-options.ts';
import type { StepResult } from './step-result.ts';

/** Most of what fails is over after a moment; a registry that restarts takes seconds. One that is down for longer is told. */
const PAUSES_MS = [1_000, 5_000];

/** `init` is given the number of the try, from 1. Answers the last one's result. */
export async function tryInit(
  { log, signal, initPausesMs = PAUSES_MS }: Pick<JobOptions, 'log' | 'signal' | 'initPausesMs'>,
  init: (attempt: number) => Promise<StepResult>,
): Promise<StepResult> {
  for (const [index, pauseMs] of initPausesMs.entries()) {
    const result = await init(index + 1);
    if (result.kind !== 'failed' || !isOfTheNetwork(result.failure)) return result;
    const which = `${index + 2} of ${initPausesMs.length + 1}`;
    await log(Buffer.from(`\nThe network failed this init. It is tried again in ${pauseMs / 1_000} s (${which}).\n\n`));
    await pause(pauseMs, signal);
  }
  return init(initPausesMs.length + 1);
}

/** As Go's and Terraform's errors have it. */
const NETWORK =
  /\bdial (?:tcp|udp)\b|\bi\/o timeout\b|\bconnection (?:reset|refused|timed out)\b|\bTLS handshake timeout\b|\bno such host\b|\bserver misbehaving\b|\bEOF\b|\bClient\.Timeout exceeded\b|\bdeadline exceeded\b|\b(?:429 Too Many Requests|500 Internal Server Error|502 Bad Gateway|503 Service Unavailable|504 Gateway Time-?out)\b|\bbad response code: (?:429|5\d\d)\b/i;

/** Terraform breaks its lines between any two words. */
function isOfTheNetwork({ summary, lines }: Failure): boolean {
  return NETWORK.test([summary, ...lines].join(' ').replaceAll(/\s+/g, ' '));
}

/** Whoever stops the job stops the next try, which says so. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}
