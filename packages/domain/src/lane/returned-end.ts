/** Whether somebody returned an end. Anybody who reaches Temporal can run a workflow that has the id of a deployment's. */
import { DEPLOYMENT_STATUSES, ENDED_STATUSES } from '../deployment/status.ts';
import {
  anyText,
  count,
  object,
  oneOf,
  optional,
  someOf,
  text,
  time,
  type Check,
  type MessageShape,
} from '../message-shape.ts';
import type { ReturnedEnd } from './activities.ts';

const JOB: Check = optional({ id: text });

/** The fields on which a lane relies, and all that the schema of its record requires of them. Control verifies what they say. */
export const ENDED_PROGRESS = {
  status: oneOf(...ENDED_STATUSES),
  times: someOf(DEPLOYMENT_STATUSES, time),
  reason: optional(anyText),
  jobs: { plan: JOB, apply: JOB },
  failure: optional({ body: { summary: anyText } }),
} as const satisfies MessageShape;

const RETURNED_END: MessageShape = {
  progress: ENDED_PROGRESS,
  checkRuns: each({ id: count }),
  reported: object,
  notice: optional({ sentence: text }),
  untold: optional(each({ id: text })),
};

const SHAPE: Check = optional(RETURNED_END);

export function isReturnedEnd(result: unknown): result is ReturnedEnd {
  return result !== undefined && SHAPE.is(result);
}

function each(shape: MessageShape) {
  const { is } = optional(shape);
  const isList = (value: unknown) =>
    Array.isArray(value) && value.every((one: unknown) => one !== undefined && is(one));
  return { is: isList, what: `a list of objects with ${Object.keys(shape).join(', ')}` };
}
