/** The messages that this release understands. Any other one, from a newer release or sent by hand, is logged and dropped. */
import {
  bodyDiffersFrom,
  differsFrom,
  envelope,
  list,
  oneOf,
  optional,
  text,
  time,
  type MessageShape,
} from '@nereid/domain/message-shape';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { log } from '@temporalio/workflow';

const SHAPES = {
  [MESSAGE.showAgain]: { unlocked: optional(envelope({ by: text, askedAt: text })) },
} as const satisfies Record<string, MessageShape>;

/** The same of what comes in envelopes. */
const BODIES = {
  [MESSAGE.planReview]: {
    requestId: text,
    deploymentId: text,
    answer: oneOf('approved', 'rejected'),
    digest: text,
    by: text,
    teams: optional(list),
    at: text,
  },
  [MESSAGE.policyOverride]: {
    requestId: text,
    deploymentId: text,
    digest: text,
    policies: list,
    by: text,
    at: text,
  },
  [MESSAGE.extend]: { requestId: text, deploymentId: text, digest: text, until: time, by: text, at: text },
  [MESSAGE.cancelling]: { by: text, askedAt: text },
  [MESSAGE.notice]: { deploymentId: text, sentence: text },
} as const satisfies Record<string, MessageShape>;

export type MessageName = keyof typeof SHAPES | keyof typeof BODIES;

/** Whether the message can be read; if not, the reason is logged. */
export function isReadable(name: MessageName, message: unknown): boolean {
  const why = unreadable(name, message);
  if (why !== undefined) log.warn('a signal cannot be read and was dropped', { signal: name, why });
  return why === undefined;
}

/** Returns the first difference, as expected and found; undefined when the message can be read. */
export function unreadable(name: MessageName, message: unknown): string | undefined {
  return isEnvelope(name) ? bodyDiffersFrom(BODIES[name], message) : differsFrom(SHAPES[name], message);
}

function isEnvelope(name: MessageName): name is keyof typeof BODIES {
  return Object.hasOwn(BODIES, name);
}
