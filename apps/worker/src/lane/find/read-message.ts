/**
 * Reads a message in the history of a terraform workflow. Anybody who reaches Temporal can run a workflow that has the id of a
 * deployment's, and leave there what nobody can read. That counts as forged, and is as good as no message.
 */
import { optional, type Check, type MessageShape } from '@nereid/domain/message-shape';
import { PAYLOAD_KEY_MISSING } from '@nereid/domain/temporal-names';
import { decodeFirst } from '@nereid/process';
import type { WorkerContext } from '../../platform/context.ts';

export interface Reading {
  readonly context: Pick<WorkerContext, 'temporal' | 'signatures'>;
  readonly deploymentId: string;
  /** When the workflow closed, in epoch milliseconds. */
  readonly closedAt: number;
  /** In epoch milliseconds. */
  readonly now: number;
}

/** So long, an operator may give this process the key that others have. Anybody can name a key that nobody has. */
const KEY_AWAITED_MS = 60 * 60_000;

/** The first of these payloads, if it has this shape. Throws while the key is awaited with which it was sealed. */
export async function readMessage(
  reading: Reading,
  payloads: Parameters<typeof decodeFirst>[1],
  shape: Check | MessageShape,
): Promise<unknown> {
  const message = await decoded(reading, payloads);
  if (message !== UNREADABLE && message !== undefined && optional(shape).is(message)) return message;
  const { context, deploymentId } = reading;
  context.signatures.forged('result/outcome', 'a message that nobody can read', deploymentId);
  return undefined;
}

const UNREADABLE = Symbol('unreadable');

async function decoded(
  { context, closedAt, now }: Reading,
  payloads: Parameters<typeof decodeFirst>[1],
): Promise<unknown> {
  try {
    return await decodeFirst(context.temporal.workflow.options, payloads);
  } catch (error) {
    const lacksKey = error instanceof Error && error.name === PAYLOAD_KEY_MISSING;
    if (lacksKey && now - closedAt < KEY_AWAITED_MS) throw error;
    return UNREADABLE;
  }
}
