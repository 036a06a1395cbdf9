import { isProtected } from '@nereid/config';
import type { IntakeResult, ProtectedRun, ProtectedRunEvent } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import { answerRun } from '../protected-run/answer-run.ts';
import { TOO_MANY } from '../protected-run/describe-judgement.ts';
import { createJudge } from '../protected-run/judge-run.ts';
import type { IntakeCall } from './intake-call.ts';
import { nothing, signalled } from './results.ts';

/** A run that waits for our word: it gets it now, or once its roots are applied. */
export async function handleProtectedRun(call: IntakeCall, received: ProtectedRun['received']): Promise<IntakeResult> {
  const { context } = call;
  const { repository, runId, environment }: ProtectedRunEvent = received.body.event;
  if (!isProtected(context.server.current(), fullName(repository)))
    return nothing('no entry of protection_rules is about it');
  const asked: ProtectedRun = { version: 1, received, reports: 0 };
  const waiting = await context.protectedRuns.add(asked);
  const judgeRun = waiting ? createJudge(call, repository, new Map()) : () => Promise.resolve(TOO_MANY);
  const answer = await answerRun(call, waiting ?? asked, judgeRun, Date.now());
  return signalled(`the run ${runId} for ${environment}: ${answer}`, []);
}
