/** Stops, and other decisions, as control signs them. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { PoolStop, Stop } from '@nereid/domain/gates';
import type { BreakGlass } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { createKeyPair, createSigner, encloseBody } from '@nereid/signature';

const keys = createKeyPair();
export const CONTROL_SIGNER = createSigner(createPrivateKey(keys.privateKey));

export const CONTROL_KEYS = [createPublicKey(keys.publicKey)];

export const isoIn = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Of acme/infra, for another hour. */
export function aStop(changes: Partial<Stop> = {}): Promise<Signed<Stop>> {
  const repository = { owner: 'acme', name: 'infra' };
  return encloseBody(CONTROL_SIGNER, 'decision/stop', { ...termsOf(), repository, directories: [], ...changes });
}

/** Of a deployment of acme/infra, for another hour. */
export function aGlass(changes: Pick<BreakGlass, 'deploymentId'> & Partial<BreakGlass>): Promise<Signed<BreakGlass>> {
  const repository = { owner: 'acme', name: 'infra' };
  return encloseBody(CONTROL_SIGNER, 'decision/break-glass', { ...termsOf(), repository, ...changes });
}

export function aPoolStop(pool: string, changes: Partial<PoolStop> = {}): Promise<Signed<PoolStop>> {
  return encloseBody(CONTROL_SIGNER, 'decision/pool-stop', { ...termsOf(), pool, ...changes });
}

function termsOf() {
  const times = { at: isoIn(-60_000), until: isoIn(3_600_000) };
  return { version: 1, requestId: 'r1', by: 'ada', reason: 'an incident', ...times } as const;
}
