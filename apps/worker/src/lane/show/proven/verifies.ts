import { ForgedError, type FactsKind } from '@nereid/signature';
import type { WorkerContext } from '../../../platform/context.ts';

export type WordsContext = Pick<WorkerContext, 'signatures'>;

/** Whether a host of this pool said it. What does not verify has been logged and counted. */
export async function verifiesOfPool(
  { signatures }: WordsContext,
  pool: string,
  kind: FactsKind,
  { facts, signature }: { readonly facts: object; readonly signature: string | undefined },
): Promise<boolean> {
  return isGenuine(signatures.verifyOfPool(pool, kind, facts, signature));
}

async function isGenuine(verifying: Promise<unknown>): Promise<boolean> {
  try {
    await verifying;
    return true;
  } catch (error) {
    if (error instanceof ForgedError) return false;
    throw error;
  }
}
