/**
 * `force-unlock` frees a lock of Terraform's state that a run left behind. It is ordered here, and a workflow of its own has a
 * host carry it out.
 */
import { formatProblem, type RepositoryPolicy } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { forceUnlockWorkflowId, shortSha, type ForceUnlockOrder } from '@nereid/domain/deployment';
import type { CommentEvent, IntakeResult } from '@nereid/domain/intake';
import { fullName, type Root } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { deploymentIdOf } from '../../lane/order-deployment.ts';
import { viewLane, withProgress } from '../../lane/view-lane.ts';
import { broughtBy } from '../../person/contributors.ts';
import type { IntakeCall } from '../intake-call.ts';
import { lanePlace } from '../../lane/lane-place.ts';
import { askerOf, decide, denialsFor } from '../../person/permission.ts';
import { signalled } from '../results.ts';
import { findIn } from '../../root/discover.ts';
import { describeStatus } from '../under-way.ts';
import type { ForceUnlockCommand } from './comment-command.ts';
import { refuse } from './reply-to-comment.ts';

/** If no host is free for this long, nobody waits for the answer any more. */
const ORDER_MS = 10 * 60_000;

/** The lock is Terraform's at work, and not left behind. */
const HOLDING: readonly string[] = ['preparing', 'planning', 'applying'];

export async function handleForceUnlockCommand(
  call: IntakeCall,
  event: CommentEvent,
  policy: RepositoryPolicy,
  command: ForceUnlockCommand,
): Promise<IntakeResult> {
  const { repository } = event;
  const { rootName, lockId } = command;
  const no = (sentences: readonly string[]) => refuse(call, event, sentences, { rootNames: [rootName], lockId });
  if (call.attempt > 1 && (await isOrdered(call))) {
    call.userActions.accepted({ rootNames: [rootName], lockId });
    return orderedFor(event, command, forceUnlockWorkflowId(call.delivery));
  }
  const question = { repository, policy, action: 'force_unlock', ...askerOf(event) } as const;
  const anybody = await decide(call, { ...question, root: undefined, brought: () => broughtBy('') });
  if (anybody.kind === 'no') return no([anybody.sentence]);

  const branch = policy.branch ?? (await call.context.forge.repositories.defaultBranch(repository));
  const sha = await call.context.mirrors.branchHead(repository, branch, call.signal);
  if (sha === undefined) return no([`the repository has no branch ${branch}`]);
  const found = await findIn(call, { repository, policy, sha, names: [rootName] });
  if (found.kind === 'unknown') return no([`${found.sentence} (on ${branch})`]);
  if (found.kind === 'problems') return no(found.problems.map((problem) => formatProblem(problem, found.file)));
  const [root] = found.roots;
  if (root === undefined) return no([`there is no root ${rootName} on ${branch}`]);
  const place = await lanePlace(call, repository, rootName, [root]);
  const denials = await denialsFor(call, { ...question, brought: () => broughtBy(sha) }, [place]);
  if (denials.length > 0) return no(denials);
  const held = await whyHeld(call, event, rootName);
  if (held !== undefined) return no([held]);

  const order = await orderOf(call, event, root, { sha, branch, lockId });
  const workflow = await start(call, order);
  call.userActions.accepted({ rootNames: [rootName], revision: sha, lockId });
  return orderedFor(event, command, workflow);
}

function orderedFor(
  { sender }: CommentEvent,
  { rootName, lockId }: ForceUnlockCommand,
  workflow: string,
): IntakeResult {
  return signalled(`the lock ${lockId} of ${rootName} is to be freed for @${sender}`, [workflow]);
}

/** An earlier attempt at the event has judged it. What began in the lane since then changes nothing. */
async function isOrdered({ context: { temporal }, delivery }: IntakeCall): Promise<boolean> {
  try {
    await temporal.workflow.getHandle(forceUnlockWorkflowId(delivery)).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/**
 * A deployment that begins from now on has a lock with another id, so it is enough that none is at work now; for the
 * backend `http`, which frees any lock, a host compares the id. That of an apply whose outcome is unknown counts as left behind.
 */
async function whyHeld(call: IntakeCall, { repository }: CommentEvent, rootName: string): Promise<string | undefined> {
  const { context } = call;
  const lane = await viewLane(context, repository, rootName);
  const running = lane?.running && (await withProgress(context, lane.running));
  if (running && HOLDING.includes(running.progress.status))
    return `${shortSha(running.revision.sha)} ${describeStatus(running)} in this lane, and its lock protects the state: wait for its end, or cancel it`;
  const turn = (await context.laneTurns.read(repository, rootName))?.last;
  const last = turn?.deployment;
  const marker = turn && (await context.begunApplies.of(turn.pool).read(turn.deployment.id));
  if (!last || !marker || marker.overtakenBy !== undefined || marker.outcome !== undefined) return undefined;
  if (running?.progress.status === 'apply-outcome-unknown') return undefined;
  // Its host could not tell storage, or is gone: once it is recorded as ended, nobody waits for its outcome.
  if (await context.deploymentRecords.find(repository, rootName, last.id)) return undefined;
  return `the apply of ${shortSha(last.revision.sha)} began on host ${marker.hostId} and has not ended, as far as storage knows: its lock protects the state`;
}

interface LockToFree {
  readonly sha: string;
  readonly branch: string;
  readonly lockId: string;
}

async function orderOf(
  { context, delivery, signal }: IntakeCall,
  { repository, pullRequest, commentId, sender, senderId }: CommentEvent,
  root: Root,
  { sha, branch, lockId }: LockToFree,
): Promise<Signed<ForceUnlockOrder>> {
  return context.signatures.enclose('order/force-unlock', {
    version: 1,
    id: deploymentIdOf('force-unlock', { requestId: delivery }),
    requestId: delivery,
    repository,
    root,
    revision: await context.mirrors.describe(repository, sha, branch, signal),
    trigger: 'manual',
    rerun: false,
    force: false,
    requestedBy: sender,
    ...defined({ requestedById: senderId }),
    pullRequest,
    unlocking: { lockId, commentId, expiresAt: new Date(Date.now() + ORDER_MS).toISOString() },
  });
}

/** Once for a delivery, however often it is taken. */
async function start({ context: { temporal } }: IntakeCall, order: Signed<ForceUnlockOrder>): Promise<string> {
  const { repository, requestId, root, requestedBy, unlocking } = order.body;
  const workflowId = forceUnlockWorkflowId(requestId);
  try {
    await temporal.workflow.start(WORKFLOW.forceUnlock, {
      workflowId,
      taskQueue: CONTROL_QUEUE,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowExecutionTimeout: LIFE_MS,
      staticSummary: `frees a lock of ${root.name} of ${fullName(repository)}`,
      memo: { repository: fullName(repository), root: root.name, lockId: unlocking.lockId, requestedBy },
      args: [order],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return workflowId;
}

/** The answer is tried for a day. Hosts have the minutes of the order, three times at most. */
const LIFE_MS = 25 * 3_600_000;
