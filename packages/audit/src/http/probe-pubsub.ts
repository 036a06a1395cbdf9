import { sinkName, type PubsubAddress } from '@nereid/domain/trail/address';
import type { AuditOptions, ProbedAudit } from '../audit.ts';
import { AuditAnswerError, reasonOf } from '../errors.ts';
import { postEvent } from './post-event.ts';
import { createPubsubCalls } from './pubsub-calls.ts';

/** One attempt; somebody waits for the result. */
const LIMITS = { attempts: 1, answerMs: 5_000, pauseMs: 0 };

const PUBLISH = 'pubsub.topics.publish';

/** Asks which permissions this process has: a question that everybody may ask, and that records nothing. */
export async function probePubsub(address: PubsubAddress, options: AuditOptions): Promise<ProbedAudit> {
  const calls = createPubsubCalls(address, options.pubsub);
  let mayPublish = false as boolean; // The answer is read elsewhere.
  try {
    await postEvent(
      LIMITS,
      () => calls.prepare('testIamPermissions', { permissions: [PUBLISH] }),
      (answer) => {
        mayPublish = answer.includes(`"${PUBLISH}"`);
      },
    );
  } catch (error) {
    return unreachable(sinkName(address), error);
  }
  if (mayPublish) return { kind: 'usable' };
  // Google does not say which of the two it is.
  const sentence = `expected the topic ${address.topic} and the permission to publish to it, found that one is missing; create it, or grant roles/pubsub.publisher to the identity of this process, or correct audit.to`;
  return { kind: 'unusable', sentence, mayPass: false };
}

function unreachable(name: string, error: unknown): ProbedAudit {
  const isRefused = error instanceof AuditAnswerError && error.status >= 400 && error.status < 500;
  const hasNoCredentials = ['CredentialsMissing', 'CredentialsRejected'].includes(reasonOf(error));
  const remedy =
    isRefused || hasNoCredentials
      ? 'provide a service account of the machine or the pod, or the file of GOOGLE_APPLICATION_CREDENTIALS, or correct audit.to'
      : 'see whether this machine reaches it, and whether audit.pubsub names the right endpoint';
  const sentence = `expected ${name} to answer, found that it did not (${reasonOf(error)}); ${remedy}`;
  return { kind: 'unusable', sentence, mayPass: !isRefused && !hasNoCredentials };
}
