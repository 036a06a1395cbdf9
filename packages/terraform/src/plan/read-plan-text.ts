import { createReadStream } from 'node:fs';
import type { PlanText } from '@nereid/domain/plan';
import type { HidingStream } from '../job/job-options.ts';
import { createPlanText } from './plan-text.ts';

/** Reads the file that `show -no-color` wrote, piece by piece. Secrets are hidden first: a cut must not halve one. */
export async function readPlanText(
  file: string,
  signal: AbortSignal,
  hiding: HidingStream = IN_THE_CLEAR,
): Promise<PlanText> {
  const decoder = new TextDecoder();
  const text = createPlanText();
  for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted();
    text.read(decoder.decode(hiding.push(chunk), { stream: true }));
  }
  text.read(decoder.decode(hiding.rest()));
  return text.end();
}

const IN_THE_CLEAR: HidingStream = { push: (output) => output, rest: () => new Uint8Array() };
