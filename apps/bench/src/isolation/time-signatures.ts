/** How long it takes to enclose an order and to open it, with what it takes to make the bytes of its body. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { orderBody } from '@nereid/domain/deployment';
import { aDeployment } from '@nereid/domain/testing';
import { createSigner, createVerifier, encloseBody, openEnvelope } from '@nereid/signature';
import { median, timed } from '../timing.ts';

/** Medians, milliseconds. */
export interface SignatureTimes {
  readonly signMs: number;
  readonly verifyMs: number;
}

const ROUNDS = 500;

export async function timeSignatures(): Promise<SignatureTimes> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const [signer, verifier] = [createSigner(privateKey), createVerifier([createPublicKey(privateKey)])];
  const body = orderBody({ owner: 'acme', name: 'fleet', installationId: 1 }, aDeployment({ status: 'queued' }));
  const [signMs, verifyMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, signed] = await timed(() => encloseBody(signer, 'order/deploy', body));
    const [other] = await timed(() => openEnvelope(verifier, 'order/deploy', signed, {}));
    signMs.push(one);
    verifyMs.push(other);
  }
  return { signMs: median(signMs), verifyMs: median(verifyMs) };
}
