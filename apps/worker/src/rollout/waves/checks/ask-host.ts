/** Asks a check that is a command: a workflow has a host run it, and each round of checks looks whether it has ended. */
import { policyFor, type CommandCheck } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import {
  shortSha,
  waveCheckWorkflowId,
  type DeploymentRecord,
  type WaveCheckEnd,
  type WaveCheckOrder,
} from '@nereid/domain/deployment';
import { fullName, poolOf, type Repository, type Root } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { uncapitalised } from '@nereid/domain/words';
import { plain } from '@nereid/forge';
import { WorkflowNotFoundError, type WorkflowExecutionDescription } from '@temporalio/client';
import { ValueError } from '@temporalio/common';
import { deploymentIdOf } from '../../../lane/order-deployment.ts';
import type { WorkerContext } from '../../../platform/context.ts';
import { undefinedIfForged } from '../../../platform/keys/signatures.ts';
import { findIn, type DiscoverContext } from '../../../root/discover.ts';
import { deploymentsInEffect } from '../../outcomes.ts';
import { SENTENCE_LIMIT, type CheckAnswer } from './run-check.ts';

export type AskHostContext = DiscoverContext &
  Pick<WorkerContext, 'server' | 'signatures' | 'temporal' | 'deploymentRecords'>;

export interface AskedOfHost {
  readonly repository: Repository;
  /** The id of the `Rollout`. */
  readonly rollout: string;
  /** From 1. */
  readonly wave: number;
  /** Of the wave. */
  readonly rootNames: readonly string[];
  readonly check: CommandCheck;
  /** What was asked before counts no more: it was about another soak, or is known. Epoch milliseconds. */
  readonly after: number;
}

export interface CheckAnswerAt extends CheckAnswer {
  /** When it was asked for, ISO 8601. */
  readonly at: string;
}

/** Ten minutes in which a host may take it, and the time until it has the tokens for it. */
const ORDER_MS = 15 * 60_000;

/** Three hosts one after the other, with the ten minutes in which each may take it. */
const LIFE_MS = 60 * 60_000;

const TEMPORAL_MS = 10_000;

/** Undefined while a host is at work, or none has a slot. Throws where Temporal or storage does not answer. */
export async function askHost(
  context: AskHostContext,
  asked: AskedOfHost,
  signal: AbortSignal,
): Promise<CheckAnswerAt | undefined> {
  const known = await findRun(context, asked);
  if (known === 'running') return undefined;
  if (typeof known === 'object') return known;
  const order = await orderOf(context, asked, signal);
  if ('sentence' in order) return order;
  await start(context, asked, { order, replaces: known === 'foreign' });
  return undefined;
}

/** Undefined where none counts. `foreign`: somebody else began it, and it may never end. */
async function findRun(
  context: AskHostContext,
  asked: AskedOfHost,
): Promise<CheckAnswerAt | 'running' | 'foreign' | undefined> {
  const handle = context.temporal.workflow.getHandle<() => Promise<unknown>>(workflowIdOf(asked));
  return context.temporal.withDeadline(Date.now() + TEMPORAL_MS, async () => {
    try {
      const run = await handle.describe();
      const { status, startTime, closeTime } = run;
      if (status.name === 'RUNNING')
        return isFollowUp(run) || Date.now() >= startTime.getTime() + LIFE_MS ? 'foreign' : 'running';
      if (status.name === 'COMPLETED') return await answerOf(context, asked, await handle.result());
      const at = closeTime ?? startTime;
      return at.getTime() > asked.after ? unheard(at.toISOString(), status.name) : undefined;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      if (isUnreadable(error)) return 'foreign';
      throw error;
    }
  });
}

/** Of a schedule, or of a run that continued as new, each run is young. Ours is a single one. */
function isFollowUp({ runId, raw }: WorkflowExecutionDescription): boolean {
  const firstRunId = raw.workflowExecutionInfo?.firstRunId;
  return typeof firstRunId === 'string' && firstRunId !== '' && firstRunId !== runId;
}

/** Temporal answered, with a memo or a result that cannot be decoded. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof ValueError;
}

/** The workflow, and its result, may be anybody's: control signed what was asked, and a host of the root's pool what came of it. */
async function answerOf(
  { signatures }: AskHostContext,
  { repository, rollout, wave, check, after }: AskedOfHost,
  result: unknown,
): Promise<CheckAnswerAt | undefined> {
  const { order: signed, outcome } = (result ?? {}) as Partial<WaveCheckEnd>; // As a workflow of ours has it.
  const order = signed ? await signatures.openIfGenuine('order/wave-check', signed, {}) : undefined;
  if (order === undefined || outcome === undefined) return undefined;
  const { checking, repository: its, id, root } = order.body;
  const isOfCheck = checking.rollout === rollout && checking.wave === wave && checking.check === check.name;
  // The file may have another command by now.
  const { askedAt, run } = checking;
  if (run !== check.target.command) return undefined;
  if (!isOfCheck || fullName(its) !== fullName(repository) || Date.parse(askedAt) <= after) return undefined;
  if (outcome === 'unheard') return unheard(askedAt);
  // It says nothing of what is checked: it is ordered again, until a host of the pool has a slot.
  if (outcome === 'no slot') return undefined;
  const about = { pool: poolOf(root), waveCheckId: id, order: order.signature };
  const found = await undefinedIfForged(signatures.open('result/wave-checked', outcome, about));
  if (found === undefined) return unheard(askedAt);
  const { failure } = found.body;
  if (failure === undefined) return { passes: true, sentence: `passed in ${root.name}`, at: askedAt };
  const last = failure.lines.findLast((line) => line.trim() !== '' && line !== failure.summary);
  const summary = uncapitalised(failure.summary);
  const said = last === undefined ? summary : `${summary}: ${last}`;
  return { passes: false, sentence: plain(`in ${root.name}, ${said}`, SENTENCE_LIMIT), at: askedAt };
}

function unheard(at: string, status?: string): CheckAnswerAt {
  const why = status === undefined ? '' : `: ${describeClosed(status)}`;
  return { passes: false, sentence: `was answered by no host${why}`, at };
}

/** A sentence about what resumes the rollout may follow. */
function describeClosed(status: string): string {
  if (status === 'TERMINATED' || status === 'CANCELLED')
    return `somebody ${status.toLowerCase()} its workflow in Temporal, which counts as a failure. Let the next one end by itself`;
  return `its workflow is ${status.toLowerCase().replaceAll('_', ' ')}`;
}

async function orderOf(
  context: AskHostContext,
  asked: AskedOfHost,
  signal: AbortSignal,
): Promise<Signed<WaveCheckOrder> | CheckAnswerAt> {
  const { repository, rollout, wave, rootNames, check } = asked;
  const at = new Date();
  const askedAt = at.toISOString();
  const { rootName = rootNames.toSorted()[0] ?? '', command: run } = check.target;
  const [deployed] = await deploymentsInEffect(context, repository, rootName);
  const notRun = (why: string) => ({
    passes: false,
    sentence: plain(`was not run: ${why}`, SENTENCE_LIMIT),
    at: askedAt,
  });
  if (deployed === undefined) return notRun(`no root ${rootName} is deployed in this repository`);
  const root = await rootOf(context, deployed, signal);
  if (typeof root === 'string') return notRun(root);
  const { revision, requestedBy, requestedById } = deployed.deployment;
  const requestId = `${workflowIdOf(asked)}:${askedAt}`;
  return context.signatures.enclose('order/wave-check', {
    ...{ version: 1, id: deploymentIdOf('wave-check', { requestId }), requestId, repository, root, revision },
    ...{ trigger: 'merge', rerun: false, force: false, requestedBy, ...defined({ requestedById }) },
    checking: {
      ...{ rollout, wave, check: check.name, run, timeoutMs: check.timeoutMs, askedAt },
      expiresAt: new Date(at.getTime() + ORDER_MS).toISOString(),
    },
  });
}

/** As the deployed revision has it, with the server's settings of today; or why nothing can be run in it. */
async function rootOf(
  context: AskHostContext,
  { repository, deployment: { root, revision } }: DeploymentRecord,
  signal: AbortSignal,
): Promise<Root | string> {
  const policy = policyFor(context.server.current(), fullName(repository));
  if (policy === undefined) return `${fullName(repository)} is not allowed`;
  const { sha } = revision;
  try {
    const found = await findIn({ context, signal }, { repository, policy, sha, names: [root.name] });
    const [current] = found.kind === 'roots' ? found.roots : [];
    return current ?? `${shortSha(sha)} has no root ${root.name} that can be planned`;
  } catch (error) {
    context.logger.warn(
      { err: error, repository: fullName(repository), revision: sha },
      'a check has no root to run in',
    );
    return `${shortSha(sha)} cannot be read`;
  }
}

interface Start {
  readonly order: Signed<WaveCheckOrder>;
  /** Whether a run of somebody else is ended for it. */
  readonly replaces: boolean;
}

/** If two workers ask at once, one of them starts it. */
async function start(context: AskHostContext, asked: AskedOfHost, { order, replaces }: Start): Promise<void> {
  const { repository, root, checking } = order.body;
  const repositoryName = fullName(repository);
  await context.temporal.withDeadline(Date.now() + TEMPORAL_MS, () =>
    context.temporal.workflow.start(WORKFLOW.waveCheck, {
      workflowId: workflowIdOf(asked),
      taskQueue: CONTROL_QUEUE,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: replaces ? 'TERMINATE_EXISTING' : 'USE_EXISTING',
      workflowExecutionTimeout: LIFE_MS,
      staticSummary: `runs the check ${checking.check} of wave ${checking.wave} in ${root.name} of ${repositoryName}`,
      memo: { repository: repositoryName, root: root.name, revision: order.body.revision.sha, check: checking.check },
      args: [order],
    }),
  );
}

function workflowIdOf({ repository, rollout, wave, check }: AskedOfHost): string {
  return waveCheckWorkflowId(deploymentIdOf(fullName(repository), { requestId: `${rollout}/${wave}/${check.name}` }));
}
