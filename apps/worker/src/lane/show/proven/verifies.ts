import { ForgedError, type SignedKind } from '@nereid/signature';
import type { WorkerContext } from '../../../context.ts';

export type WordsContext = Pick<WorkerContext, 'signatures'>;

/** What does not verify has been logged and counted. */
export async function verifies(
  { signatures }: WordsContext,
  kind: SignedKind,
  facts: object,
  signature: string | undefined,
): Promise<boolean> {
  try {
    await signatures.verify(kind, facts, signature);
    return true;
  } catch (error) {
    if (error instanceof ForgedError) return false;
    throw error;
  }
}
