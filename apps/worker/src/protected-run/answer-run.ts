/** Says our word on one run to the forge, which is the only one to know whether the run waits still. */
import type { ProtectedRun } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import { ForgeRefusedError, ForgeShutOutError, type RunAnswer } from '@nereid/forge';
import type { RevisionTools } from '../root/revision-tools.ts';
import { WAITED_TOO_LONG, type Judgement } from './describe-judgement.ts';
import type { JudgeRun } from './judge-run.ts';

/** GitHub lets a job wait no longer. */
const WAITS_AT_MOST_MS = 30 * 24 * 3_600_000;

/** A run may come before its push is seen everywhere. */
const SEEN_WITHIN_MS = 2 * 60_000;

/** GitHub takes ten; so the last word fits in any case. */
const REPORTS_LIMIT = 8;

/** As GitHub answers about a run that is gone, or has nothing to be answered. */
const WAITS_NO_MORE: ReadonlySet<number> = new Set([404, 410, 422]);

/** Returns a sentence that says what came of it. Throws what the forge or git throws: the run is looked at again. */
export async function answerRun(
  tools: RevisionTools,
  run: ProtectedRun,
  judgeRun: JudgeRun,
  now: number,
): Promise<string> {
  const { event, receivedAt } = run.received.body;
  const waitedMs = now - Date.parse(receivedAt);
  if (waitedMs > WAITS_AT_MOST_MS) return giveUp(tools, run);
  const judged = await judgeRun(event);
  if (judged.isAbsent === true && waitedMs < SEEN_WITHIN_MS) return 'waits until the commit is seen on the branch';
  return judged.state === 'waiting' ? report(tools, run, judged) : end(tools, run, judged);
}

/** GitHub has failed it by then, so what it says of our word counts for nothing: an App that is gone would be asked for ever. */
async function giveUp(tools: RevisionTools, run: ProtectedRun): Promise<string> {
  try {
    return await end(tools, run, WAITED_TOO_LONG);
  } catch (error) {
    if (!(error instanceof ForgeRefusedError || error instanceof ForgeShutOutError)) throw error;
    await tools.context.protectedRuns.remove(run);
    return 'waited too long';
  }
}

/** The record goes last: after a crash, the forge is told once more, and says that the run does not wait. */
async function end(tools: RevisionTools, run: ProtectedRun, { state, comment }: Judgement): Promise<string> {
  const { runId, environment, repository, sha } = run.received.body.event;
  const isTaken = await isAnswerTaken(tools, run, { ...(state !== 'waiting' && { state }), comment });
  await tools.context.protectedRuns.remove(run);
  const fields = { repository: fullName(repository), run: runId, environment, revision: sha, state };
  tools.context.logger.info(fields, isTaken ? 'a run was answered' : 'a run did not wait for its answer any more');
  return isTaken ? state : 'does not wait any more';
}

async function report(tools: RevisionTools, run: ProtectedRun, { comment, news }: Judgement): Promise<string> {
  if (run.said === news || run.reports >= REPORTS_LIMIT) return 'waits';
  const isTaken = await isAnswerTaken(tools, run, { comment });
  // Whether it waits is asked again with the last word.
  const reports = isTaken ? run.reports + 1 : REPORTS_LIMIT;
  await tools.context.protectedRuns.write({ ...run, said: news, reports });
  return 'waits';
}

/** Whether the forge took it; if not, the run has ended, or somebody has let it go. */
async function isAnswerTaken(
  { context: { forge }, signal }: RevisionTools,
  { received }: ProtectedRun,
  answer: Pick<RunAnswer, 'state' | 'comment'>,
): Promise<boolean> {
  const { repository, runId, environment } = received.body.event;
  if (forge.environments === undefined) throw new Error(`${forge.name} has no runs that wait: remove protection_rules`);
  try {
    await forge.environments.answerRun(repository, { runId, environment, ...answer }, { begin: signal, signal });
    return true;
  } catch (error) {
    if (error instanceof ForgeRefusedError && WAITS_NO_MORE.has(error.status)) return false;
    throw error;
  }
}
