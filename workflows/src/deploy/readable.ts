/** Whether a message is one that this release understands. */
import { ENDED_STATUSES } from '@nereid/domain/deployment';
import {
  bodyDiffersFrom,
  count,
  differsFrom,
  flag,
  list,
  object,
  oneOf,
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

/** The fields on which a lane relies. Other fields are kept as they are. */
const SHAPES = {
  [MESSAGE.newRevision]: {
    requestId: text,
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
    revision: { sha, branch: text, position: count },
    trigger: oneOf('merge', 'manual'),
    rerun: flag,
    force: flag,
    requestedBy: text,
    rollout: optionalText,
  },
  [MESSAGE.deploymentEnded]: {
    deploymentId: text,
    progress: { status: oneOf(...ENDED_STATUSES), times: object, jobs: object },
  },
} as const satisfies Record<string, MessageShape>;

/** The same of what comes in envelopes. */
const BODIES = {
  [MESSAGE.unlock]: { requestId: text, by: text, askedAt: text },
  [MESSAGE.cancel]: { requestId: text, deploymentId: text, by: text },
  [MESSAGE.notice]: { deploymentId: text, sentence: text },
} as const satisfies Record<string, MessageShape>;

function isEnvelope(name: MessageName): name is keyof typeof BODIES {
  return Object.hasOwn(BODIES, name);
}
