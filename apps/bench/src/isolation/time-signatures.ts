/** How long it takes to sign an order and to verify it, with what it takes to make the bytes of its facts. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { orderFacts } from '@nereid/contracts';
import { aDeployment } from '@nereid/contracts/testing';
import { createSigner, createVerifier } from '@nereid/signature';
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
  const facts = orderFacts({ owner: 'acme', name: 'fleet', installationId: 1 }, aDeployment({ status: 'queued' }));
  const [signMs, verifyMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, signature] = await timed(() => signer.sign('order', facts));
    const [other] = await timed(() => verifier.verify('order', facts, signature));
    signMs.push(one);
    verifyMs.push(other);
  }
  return { signMs: median(signMs), verifyMs: median(verifyMs) };
}
