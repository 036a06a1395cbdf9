/**
 * Carries out what an operator asks for without the forge, which usually says who may. A person who works on a control machine has its keys,
 * so there is nothing to prove: the server's file names the operators, and the trail has what each of them did.
 */
import { randomUUID } from 'node:crypto';
import { isOperator } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { hasEnded } from '@nereid/domain/deployment';
import { laneWorkflowId, type LaneView, deploymentIn, describeLock } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { userActionAuditEvent, type OwedAudit } from '@nereid/domain/trail';
import type { WorkerContext } from '../platform/context.ts';
import { isFinal } from '../platform/failures/failures.ts';
import type { ActionCall } from '../actions/action.ts';
import { cancel } from '../actions/cancel.ts';
import { unlock } from '../actions/unlock.ts';
import { viewLane } from '../lane/view-lane.ts';
import type { OperatorCommand } from './command.ts';
import { forgetPerson } from './forget-person.ts';
import { describeView } from './describe-view.ts';
import { recordPatiently } from './record-patiently.ts';
import { sentenceOf } from './sentence-of.ts';
import type { Outcome, Terminal } from './terminal.ts';

/** Throws where something that it needs is away, before anything is done. */
export async function runCommand(
  context: WorkerContext,
  command: OperatorCommand,
  terminal: Terminal,
): Promise<Outcome> {
  const { console } = context.server.current();
  const isAllowed = command.verb === 'status' || isOperator(console, { login: command.as });
  if (command.verb === 'forget-person')
    return isAllowed ? forgetPerson(context, command, terminal) : refused(whyNot(command.as));
  const { owner, name, rootName } = command.lane;
  const view = await viewLane(context, { owner, name }, rootName);
  const repository = (await context.laneRecords.read({ owner, name }, rootName))?.record.repository;
  if (view === undefined || repository === undefined)
    return refused(`expected a lane, found none: nothing was ever deployed to ${owner}/${name}/${rootName}`);
  if (command.verb === 'status') return { isDone: true, text: describeView(command.lane, view) };
  if (!isAllowed) return refused(whyNot(command.as));
  return act({ ...terminal, context, repository, view, command, requestId: `operator-${randomUUID()}` });
}

function whyNot(login: string): string {
  return `@${login} is not one of console.operators in the server's file: nothing was done`;
}

interface Acting extends Terminal {
  readonly context: WorkerContext;
  readonly repository: Repository;
  readonly view: LaneView;
  readonly command: Exclude<OperatorCommand, { readonly verb: 'status' | 'forget-person' }>;
  readonly requestId: string;
}

/** The event is in storage before anything is done, so that whatever ends this process, a control worker records it. */
async function act(acting: Acting): Promise<Outcome> {
  const { context, repository, command, requestId } = acting;
  const at = new Date().toISOString();
  const deploymentId = command.verb === 'unlock' ? acting.view.lock?.deploymentId : deploymentOf(acting);
  const { rootName } = command.lane;
  const about = { requestId, action: command.verb, repository, rootName, by: command.as, at };
  const workflowId = laneWorkflowId(repository, rootName);
  const action = { ...about, workflowId, ...defined({ deploymentId }) };
  const owed = (refusal?: string) =>
    ({ version: 1, requestId, at, event: userActionAuditEvent(action, refusal) }) as const;
  const unkept = await keep(context, owed());
  if (unkept !== undefined)
    return refused(`nothing was done, because it could not be kept for the audit trail: ${unkept}`);
  const outcome = await carryOut(acting, at);
  const settled = owed(outcome.kind === 'refused' ? outcome.text : undefined);
  const unrecorded = await recordPatiently(context, settled, acting);
  return {
    isDone: outcome.kind === 'done',
    text: unrecorded === undefined ? outcome.text : `${outcome.text}\n${unrecorded}`,
  };
}

/** Returns why it could not be kept. */
async function keep({ owedAudits }: WorkerContext, owed: OwedAudit): Promise<string | undefined> {
  try {
    await owedAudits.keep(owed);
    return undefined;
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === undefined) throw error;
    return sentence;
  }
}

/** `unknown`: what was asked for is allowed, and may have been done. */
interface CarriedOut {
  readonly kind: 'done' | 'refused' | 'unknown';
  readonly text: string;
}

async function carryOut(acting: Acting, at: string): Promise<CarriedOut> {
  try {
    const { isDone, text } = await (acting.command.verb === 'unlock' ? unlockNow(acting, at) : cancelNow(acting, at));
    return { kind: isDone ? 'done' : 'refused', text };
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === undefined) throw error;
    if (isFinal(error)) return { kind: 'refused', text: sentence };
    const { verb, as } = acting.command;
    return {
      kind: 'unknown',
      text: `nobody knows whether the ${verb} of @${as} was done; look at the status: ${sentence}`,
    };
  }
}

async function unlockNow(acting: Acting, askedAt: string): Promise<Outcome> {
  const { repository, view, command } = acting;
  const { lock } = view;
  const { rootName } = command.lane;
  if (lock === undefined) return refused(`${rootName} is not locked`);
  const asker = { sender: command.as };
  const answer = await unlock(callOf(acting, askedAt), asker, { repository, rootName, lock: lock.deploymentId });
  if (answer.kind === 'refused') return refused(answer.sentence);
  return { isDone: true, text: `@${command.as} ${answer.sentence}, which was locked by ${describeLock(lock)}` };
}

async function cancelNow(acting: Acting, askedAt: string): Promise<Outcome> {
  const { repository, view, command } = acting;
  const id = deploymentOf(acting);
  const { rootName } = command.lane;
  const deployment = id === undefined ? undefined : deploymentIn(view, id);
  if (deployment === undefined)
    return refused(id === undefined ? `nothing runs in ${rootName}` : `${rootName} has no deployment ${id}`);
  if (hasEnded(deployment.progress.status)) return refused(`deployment ${deployment.id} has ended`);
  const answer = await cancel(callOf(acting, askedAt), { sender: command.as }, { repository, deployment });
  return answer.kind === 'refused'
    ? refused(answer.sentence)
    : {
        isDone: true,
        text: `@${command.as} cancels deployment ${deployment.id} of ${rootName}${answer.isStopping ? ': its apply has begun, and Terraform is asked to stop' : ''}`,
      };
}

function callOf({ context, requestId: delivery }: Acting, askedAt: string): ActionCall {
  return { context, signal: NEVER, delivery, askedAt };
}

function deploymentOf({ command, view }: Acting): string | undefined {
  return command.verb === 'cancel' ? (command.deploymentId ?? view.running?.id) : undefined;
}

/** Each question has a limit of its own. */
const NEVER = new AbortController().signal;

function refused(text: string): Outcome {
  return { isDone: false, text };
}
