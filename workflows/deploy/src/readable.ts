/**
 * Whether a message is one that this release understands: a newer one may have sent it, or somebody by hand. Checked in
 * code of our own, because a schema library multiplies the memory of a cached workflow.
 */
import { ENDED_STATUSES, MESSAGE } from '@nereid/contracts';
import { ApplicationFailure } from '@temporalio/workflow';

export type MessageName = keyof typeof SHAPES;

/** Throws a failure that its sender is shown. */
export function assertReadable(name: MessageName, message: unknown): void {
  const why = unreadable(name, message);
  if (why !== undefined) throw ApplicationFailure.nonRetryable(`${name}: ${why}`, 'UNREADABLE_MESSAGE');
}

/** What was expected and found instead; undefined when the message can be read. */
export function unreadable(name: MessageName, message: unknown): string | undefined {
  if (!isObject(message)) return `expected an object, found ${found(message)}`;
  if (message['version'] !== 1) return `expected version 1, found ${found(message['version'])}; upgrade the workers`;
  return differs(SHAPES[name], message, '');
}

interface Check {
  readonly is: (value: unknown) => boolean;
  readonly what: string;
}

interface Shape {
  readonly [field: string]: Check | Shape;
}

const text: Check = { is: (value) => typeof value === 'string' && value !== '', what: 'a text' };
const flag: Check = { is: (value) => typeof value === 'boolean', what: 'true or false' };
const count: Check = { is: (value) => Number.isSafeInteger(value) && Number(value) >= 0, what: 'a count' };
const sha: Check = { is: (value) => /^[0-9a-f]{40}$/.test(String(value)), what: '40 hex digits' };
const list: Check = { is: Array.isArray, what: 'a list' };
const object: Check = { is: isObject, what: 'an object' };

function oneOf(...values: readonly string[]): Check {
  return { is: (value) => values.includes(String(value)), what: `one of ${values.join(', ')}` };
}

/** What a lane relies on. What stands beside it is kept as it is. */
const SHAPES = {
  [MESSAGE.newRevision]: {
    requestId: text,
    root: {
      name: text,
      dir: text,
      planReview: oneOf('required', 'auto', 'auto_unless_destroy'),
      queue: oneOf('every', 'newest'),
      onFailure: oneOf('continue', 'halt'),
      varFiles: list,
      steps: object,
      permissions: object,
    },
    revision: { sha, branch: text, position: count },
    trigger: oneOf('merge', 'manual'),
    rerun: flag,
    force: flag,
    requestedBy: text,
  },
  [MESSAGE.unlock]: { requestId: text, by: text },
  [MESSAGE.cancel]: { requestId: text, deploymentId: text, by: text },
  [MESSAGE.notice]: { deploymentId: text, sentence: text },
  [MESSAGE.terraformState]: {
    deploymentId: text,
    progress: {
      status: oneOf('preparing', 'planning', 'awaiting-review', 'applying', ...ENDED_STATUSES),
      times: object,
      jobs: object,
    },
  },
} as const satisfies Record<string, Shape>;

function differs(shape: Shape, value: Readonly<Record<string, unknown>>, path: string): string | undefined {
  for (const [field, expected] of Object.entries(shape)) {
    const why = differsIn(expected, value[field], `${path}${field}`);
    if (why !== undefined) return why;
  }
  return undefined;
}

function differsIn(expected: Check | Shape, part: unknown, path: string): string | undefined {
  if (isCheck(expected))
    return expected.is(part) ? undefined : `expected ${expected.what} as ${path}, found ${found(part)}`;
  if (!isObject(part)) return `expected an object as ${path}, found ${found(part)}`;
  return differs(expected, part, `${path}.`);
}

function isCheck(expected: Check | Shape): expected is Check {
  return typeof expected.is === 'function';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Short: it stands in a log line. */
function found(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100);
}
