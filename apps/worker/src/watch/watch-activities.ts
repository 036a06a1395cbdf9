/** The activities of the watch workflow, for control workers. */
import type { LookedAtWindows, WatchActivities, WatchParts } from '@nereid/domain/activities';
import { defined } from '@nereid/domain/defined';
import { inParts } from '@nereid/domain/parts';
import { Context } from '@temporalio/activity';
import { recordOwed } from '../platform/audit/record-owed.ts';
import { createAnswerProtectedRuns } from '../protected-run/answer-protected-runs.ts';
import type { WorkerContext } from '../platform/context.ts';
import { withFailures } from '../platform/failures/failures.ts';
import { withHeartbeats } from '../platform/temporal/with-heartbeats.ts';
import { announceClosings } from './closings/announce-closings.ts';
import { readLastWatch } from './last-watch.ts';
import { createRemindReviewers } from './reminders/remind-reviewers.ts';
import { reportClosed } from './report-closed.ts';
import { reportStuck } from './stuck/report-stuck.ts';
import { createResumeLanes, resumeEnded } from './resume-lanes.ts';
import { createRunStep, type Step } from './steps/run-step.ts';

export function createWatchActivities(context: WorkerContext): WatchActivities {
  return { watch: inParts(createWatchParts(context)) };
}

function createWatchParts(context: WorkerContext): WatchParts {
  const resumeLanes = createResumeLanes(context);
  const runEachMinute = createStepsOfEachMinute(context);
  const signal = () => Context.current().cancellationSignal;
  return withFailures<WatchParts>({
    lastWatch: () => withHeartbeats(() => readLastWatch(context)),
    reportStuck: (before) =>
      withHeartbeats(async () => {
        const report = await reportStuck(context, before, signal());
        return { ...report, ...defined({ windows: await runEachMinute(signal()) }) };
      }),
    resumeLanes: () => withHeartbeats(() => resumeLanes(signal(), Date.now())),
    reportClosed: (after) => withHeartbeats(() => reportClosed(context, after, signal())),
  });
}

/** After the alarms, which nothing holds up. Returns the look at windows, for the next watch. */
function createStepsOfEachMinute(
  context: WorkerContext,
): (signal: AbortSignal) => Promise<LookedAtWindows | undefined> {
  const runStep = createRunStep(context);
  const remindReviewers = createRemindReviewers(context);
  const answerProtectedRuns = createAnswerProtectedRuns(context);
  const steps: readonly Step<unknown>[] = [
    { name: 'record what the audit trail is owed', run: () => recordOwed(context, Date.now()) },
    { name: 'resume lanes that were ended', run: (signal) => resumeEnded(context, signal, Date.now()) },
    { name: 'remind reviewers', run: (signal) => remindReviewers(signal, Date.now()) },
    { name: 'answer runs of GitHub Actions', run: (signal) => answerProtectedRuns(signal, Date.now()) },
  ];
  const lastLook: Step<LookedAtWindows | undefined> = {
    name: 'read the last look at windows',
    run: async () => (await readLastWatch(context))?.stuck.windows,
  };
  return async (signal) => {
    for (const step of steps) await runStep(step, signal);
    // As before the first one when nobody knows: then a check run says when its window closes once it is written next.
    const last = await runStep(lastLook, signal);
    const run = (limited: AbortSignal) => announceClosings(context, last, limited, Date.now());
    return (await runStep({ name: 'announce closings of windows', run }, signal)) ?? last;
  };
}
