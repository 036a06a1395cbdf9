import type { Stack } from '../stack/stack.ts';
import { expected } from './failure.ts';

/**
 * Throws when anything was taken for forged. Where nobody attacks, whatever people, restarts and slow services do is genuine, and an
 * alarm that says otherwise would be believed no more.
 */
export async function requireNoForgeries({ storage }: Pick<Stack, 'storage'>): Promise<void> {
  const trail: readonly { readonly state: string }[] = await storage.auditTrail();
  const forged = trail.filter(({ state }) => state === 'FORGED');
  if (forged.length > 0) throw expected('nothing that counts as forged', forged);
}
