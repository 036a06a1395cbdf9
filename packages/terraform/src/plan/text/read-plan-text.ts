import { createReadStream } from 'node:fs';
import type { PlanText } from '@nereid/domain/plan';
import type { HidingStream } from '../../job/job-options.ts';
import { createPlanText, ROOM_ON_FORGE, ROOM_ON_PAGES } from './plan-text.ts';

export interface PlanTexts {
  readonly text: PlanText;
  /** The same with more room, where the text lacks something. */
  readonly whole?: PlanText;
}

/** Reads the file that `show -no-color` wrote, piece by piece. Secrets are hidden first: a cut must not halve one. */
export async function readPlanText(
  file: string,
  signal: AbortSignal,
  hiding: HidingStream = IN_THE_CLEAR,
): Promise<PlanTexts> {
  const decoder = new TextDecoder();
  const readers = [createPlanText(ROOM_ON_FORGE), createPlanText(ROOM_ON_PAGES)] as const;
  const read = (piece: string) => {
    for (const reader of readers) reader.read(piece);
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted();
    read(decoder.decode(hiding.push(chunk), { stream: true }));
  }
  read(decoder.decode(hiding.rest()));
  const [text, whole] = [readers[0].end(), readers[1].end()];
  return text.leftOut > 0 || text.isShortened ? { text, whole } : { text };
}

const IN_THE_CLEAR: HidingStream = { push: (output) => output, rest: () => new Uint8Array() };
