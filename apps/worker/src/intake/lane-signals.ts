/** Messages to lanes. A lane that does not run is started by its message. */
import {
  CONTROL_QUEUE,
  laneWorkflowId,
  MESSAGE,
  SEARCH_ATTRIBUTE,
  WORKFLOW,
  fullName,
  type LaneInput,
  type NewRevision,
  type Repository,
  type Unlock,
} from '@nereid/contracts';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { IntakeCall } from './intake-call.ts';

type LaneMessage =
  | { readonly name: typeof MESSAGE.newRevision; readonly body: NewRevision }
  | { readonly name: typeof MESSAGE.unlock; readonly body: Unlock };

/** The client tries again until its deadline, and the activity after it. */
export const SIGNAL_MS = 10_000;

/** Temporal answers in milliseconds; more at once would only wait there. */
const AT_ONCE = 20;

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

/** Answers the id of the lane's workflow. */
export async function signalLane(
  { context: { temporal } }: IntakeCall,
  repository: Repository,
  rootName: string,
  { name, body }: LaneMessage,
): Promise<string> {
  const workflowId = laneWorkflowId(repository, rootName);
  const input: LaneInput = { repository, rootName };
  await temporal.withDeadline(Date.now() + SIGNAL_MS, () =>
    temporal.workflow.signalWithStart(WORKFLOW.deploy, {
      workflowId,
      taskQueue: CONTROL_QUEUE,
      args: [input],
      signal: name,
      signalArgs: [body],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      typedSearchAttributes: [
        { key: REPOSITORY, value: fullName(repository) },
        { key: ROOT, value: rootName },
      ],
    }),
  );
  return workflowId;
}

/** Some lanes could not be told. The others were, and drop what they see again. */
export class LanesUnreachableError extends Error {
  override readonly name = 'LanesUnreachableError';
  readonly code = 'LANES_UNREACHABLE';
  readonly rootNames: readonly string[];

  constructor(rootNames: readonly string[], options: ErrorOptions) {
    super(`expected to signal the lanes of ${rootNames.join(', ')}, found that Temporal did not take it`, options);
    this.rootNames = rootNames;
  }
}

/** One root's failure stops no other. Throws `LanesUnreachableError` at the end. Answers the lanes' ids. */
export async function signalNewRevisions(
  call: IntakeCall,
  repository: Repository,
  revisions: readonly NewRevision[],
): Promise<readonly string[]> {
  const workflows: string[] = [];
  const failures: { readonly rootName: string; readonly cause: unknown }[] = [];
  const waiting = revisions.values();

  async function work(): Promise<void> {
    for (const body of waiting) {
      const rootName = body.root.name;
      try {
        workflows.push(await signalLane(call, repository, rootName, { name: MESSAGE.newRevision, body }));
      } catch (cause) {
        failures.push({ rootName, cause });
      }
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const [first] = failures;
  if (first) {
    const names = failures.map(({ rootName }) => rootName);
    throw new LanesUnreachableError(names, { cause: first.cause });
  }
  return workflows;
}

/** Answers the lanes' ids. */
export async function signalUnlocks(
  call: IntakeCall,
  repository: Repository,
  rootNames: readonly string[],
  by: string,
): Promise<readonly string[]> {
  const workflows: string[] = [];
  for (const rootName of rootNames) {
    const body: Unlock = { version: 1, requestId: `${call.delivery}:${rootName}`, by };
    workflows.push(await signalLane(call, repository, rootName, { name: MESSAGE.unlock, body }));
  }
  return workflows;
}
