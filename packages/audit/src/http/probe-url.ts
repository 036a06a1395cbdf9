import { sinkName, type UrlAddress } from '@nereid/domain/trail/address';
import { inTime, readKey, readWebhookSecrets, reasonOf, SecretFileError } from '@nereid/webhook';
import type { ProbedAudit } from '../audit.ts';

/** Somebody waits for the result. */
const PROBE_MS = 5_000;

/** A server that answers is usable: what it says of an event can only be known by sending one. */
export async function probeUrl(address: UrlAddress, secretFile: string): Promise<ProbedAudit> {
  const name = sinkName(address);
  try {
    await (address.kind === 'webhook' ? readWebhookSecrets(secretFile) : readKey(secretFile));
    await inTime(PROBE_MS, async (signal) => {
      const response = await fetch(address.url, { method: 'HEAD', signal, redirect: 'manual' });
      await response.body?.cancel();
    });
    return { kind: 'usable' };
  } catch (error) {
    if (error instanceof SecretFileError) return { kind: 'unusable', sentence: error.message, mayPass: false };
    const sentence = `expected ${name} to answer, found that it did not (${reasonOf(error)}); see whether this machine reaches it, or correct audit.to`;
    return { kind: 'unusable', sentence, mayPass: true };
  }
}
