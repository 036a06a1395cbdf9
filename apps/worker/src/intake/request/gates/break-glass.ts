/** Somebody lets one deployment pass stops and windows. Storage has it, for exactly the plan that waits; workflows are only rung. */
import { describeTime } from '@nereid/config';
import { REASON_LIMIT } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import { hasEnded } from '@nereid/domain/deployment';
import { canBreakGlass } from '@nereid/domain/gates';
import type { IntakeResult, RequestFor } from '@nereid/domain/intake';
import type { BreakGlass } from '@nereid/domain/plan';
import { fullName } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { isUnreadableRecord } from '@nereid/storage';
import { HAS_ENDED, mayActOnLane } from '../../../actions/action.ts';
import { withProgress } from '../../../lane/view-lane.ts';
import { openPlan } from '../../../lane/verify-orders.ts';
import { byOf } from '../../../person/permission.ts';
import { findDeployment } from '../../check-run/known-deployment.ts';
import type { IntakeCall } from '../../intake-call.ts';
import { signalled } from '../../results.ts';
import { refuseRequest, type ProvenRequest } from '../refuse-request.ts';
import { ringLane } from './ring-repository.ts';
import { subjectOfRequest } from '../subject-of-request.ts';

/** An emergency is over by then, or somebody looks again. */
const LIFE_MS = 86_400_000;

/** Each is for one deployment; more are no exception any more. */
const GLASS_LIMIT = 50;

export async function breakGlass(
  call: IntakeCall,
  event: ProvenRequest,
  request: RequestFor<'break_glass'>,
): Promise<IntakeResult> {
  const { context } = call;
  const { repository, policy, sender } = event;
  const { rootName, deploymentId } = request;
  const refuse = (sentence: string) => refuseRequest(call, event, sentence);
  const known = await findDeployment(call, repository, rootName, deploymentId);
  if (known === undefined) return refuse('there is no such deployment');
  const deployment = await withProgress(context, known);
  if (hasEnded(deployment.progress.status)) return refuse(HAS_ENDED);
  // As the deployment says, which decides nothing: somebody else may have answered for it.
  if (!canBreakGlass(deployment.progress))
    return refuse('this deployment waits at no stop and at no window: there is no glass to break');
  const question = { repository, policy, rootName, action: 'apply_force', deployment } as const;
  const decision = await mayActOnLane(call, event, question);
  if (decision.kind === 'no') return refuse(decision.sentence);

  const { plan } = deployment.progress;
  if (plan !== undefined) await openPlan(context, deployment, plan);
  const { owner, name } = repository;
  const reason = request.reason.slice(0, REASON_LIMIT);
  const until = Date.parse(call.askedAt) + LIFE_MS;
  const glass = await context.signatures.enclose('decision/break-glass', {
    ...{ version: 1, requestId: call.delivery, repository: { owner, name }, deploymentId },
    ...defined({ digest: plan?.made.body.digest }),
    ...{ reason, ...byOf(event), at: call.askedAt, until: new Date(until).toISOString() },
  });
  const stored = await store(call, event, glass);
  if (stored.kind === 'not-stored') return refuse(stored.why);
  call.userActions.accepted({ ...subjectOfRequest(request), reason });
  await ringLane(context, repository, rootName);
  const passes = stored.glass.body.digest === undefined ? 'be planned' : 'be applied';
  const end = describeTime('UTC', until, Date.now());
  return signalled(
    `@${sender} lets ${rootName} ${passes} until ${end}, whatever stops and windows say: everything else still counts`,
    [deploymentId],
  );
}

type Storing =
  | { readonly kind: 'stored'; readonly glass: Signed<BreakGlass> }
  | { readonly kind: 'not-stored'; readonly why: string };

/**
 * The same request, made again, is stored once, and stays for the plan that waited the first time: whoever reaches Temporal can send
 * it again when another one waits.
 */
async function store(
  { context }: IntakeCall,
  { repository }: ProvenRequest,
  glass: Signed<BreakGlass>,
): Promise<Storing> {
  let storing: Storing = { kind: 'stored', glass };
  try {
    await context.stopRecords.change(repository, (found) => {
      const earlier = found.glass.find(({ body }) => body.requestId === glass.body.requestId);
      const now = new Date().toISOString();
      const others = found.glass.filter(({ body }) => body.until > now);
      if (earlier === undefined && others.length >= GLASS_LIMIT) {
        const why = `expected at most ${GLASS_LIMIT} such exceptions a day in a repository`;
        storing = { kind: 'not-stored', why };
        return found;
      }
      storing = { kind: 'stored', glass: earlier ?? glass };
      return earlier === undefined ? { ...found, glass: [...others, glass] } : found;
    });
  } catch (error) {
    if (!isUnreadableRecord(error)) throw error;
    context.logger.warn({ err: error, repository: fullName(repository) }, 'the stops of a repository cannot be read');
    const why = 'the stops of the repository cannot be read, so nothing of it begins; thaw it first';
    return { kind: 'not-stored', why };
  }
  return storing;
}
