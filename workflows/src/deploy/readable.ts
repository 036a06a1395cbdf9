/** Whether a message is one that this release understands. */
import { LOCK_KINDS } from '@nereid/domain/deployment';
import { ENDED_PROGRESS } from '@nereid/domain/lane';
import {
  anyText,
  bodyDiffersFrom,
  count,
  differsFrom,
  flag,
  list,
  object,
  oneOf,
  optional,
  optionalText,
  sha,
  text,
  type MessageShape,
} from '@nereid/domain/message-shape';
import { ON_FAILURE, PLAN_REVIEWS, QUEUES } from '@nereid/domain/root';
import { MESSAGE } from '@nereid/domain/temporal-names';

export type MessageName = keyof typeof SHAPES | keyof typeof BODIES;

/** Returns the first difference, as expected and found; undefined when the message can be read. */
export function unreadable(name: MessageName, message: unknown): string | undefined {
  return isEnvelope(name) ? bodyDiffersFrom(BODIES[name], message) : differsFrom(SHAPES[name], message);
}

const LOCK = {
  kind: oneOf(...LOCK_KINDS),
  deploymentId: text,
  revision: text,
  by: anyText,
  byId: optional(count),
  at: text,
} as const satisfies MessageShape;

/**
 * The fields on which a lane relies, and all that the schema of its record requires of what it stores: another message would
 * make the record unreadable. Other fields are kept as they are.
 */
const SHAPES = {
  [MESSAGE.newRevision]: {
    requestId: text,
    deploymentId: optionalText,
    root: {
      name: text,
      dir: text,
      planReview: oneOf(...PLAN_REVIEWS),
      queue: oneOf(...QUEUES),
      onFailure: oneOf(...ON_FAILURE),
      varFiles: list,
      steps: object,
      permissions: object,
      timeoutMs: { plan: count, apply: count },
    },
    revision: { sha, branch: text, position: count, title: anyText },
    trigger: oneOf('merge', 'manual'),
    rerun: flag,
    force: flag,
    requestedBy: text,
    requestedById: optional(count),
    rollout: optionalText,
    formerly: optional({ rootName: text, lock: optional(LOCK) }),
  },
  [MESSAGE.deploymentEnded]: {
    deploymentId: text,
    progress: ENDED_PROGRESS,
  },
} as const satisfies Record<string, MessageShape>;

/** The same of what comes in envelopes. */
const BODIES = {
  [MESSAGE.unlock]: { requestId: text, by: text, askedAt: text },
  [MESSAGE.cancel]: { requestId: text, deploymentId: text, by: text, askedAt: text },
  [MESSAGE.notice]: { deploymentId: text, sentence: text },
} as const satisfies Record<string, MessageShape>;

function isEnvelope(name: MessageName): name is keyof typeof BODIES {
  return Object.hasOwn(BODIES, name);
}
