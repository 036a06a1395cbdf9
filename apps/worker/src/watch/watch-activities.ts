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
import { reportStuck } from './report-stuck.ts';
import { createResumeLanes, resumeEnded } from './resume-lanes.ts';

export function createWatchActivities(context: WorkerContext): WatchActivities {
  return { watch: inParts(createWatchParts(context)) };
}

function createWatchParts(context: WorkerContext): WatchParts {
  const remindReviewers = createRemindReviewers(context);
  const resumeLanes = createResumeLanes(context);
  const answerProtectedRuns = createAnswerProtectedRuns(context);
  const signal = () => Context.current().cancellationSignal;
  return withFailures<WatchParts>({
    lastWatch: () => withHeartbeats(() => readLastWatch(context)),
    reportStuck: (before) =>
      withHeartbeats(async () => {
        const report = await reportStuck(context, before, signal());
        // Every minute, like this look, and after it: what is slow holds up no alarm.
        await recordOwed(context, Date.now());
        await resumeEnded(context, signal(), Date.now());
        await remindReviewers(signal(), Date.now());
        await answerProtectedRuns(signal(), Date.now());
        const windows = await announceClosings(context, await lastLook(context), signal(), Date.now());
        return { ...report, ...defined({ windows }) };
      }),
    resumeLanes: () => withHeartbeats(() => resumeLanes(signal(), Date.now())),
    reportClosed: (after) => withHeartbeats(() => reportClosed(context, after, signal())),
  });
}

/** Undefined as before the first one when nobody knows: then a check run says when its window closes once it is written next. */
async function lastLook(context: WorkerContext): Promise<LookedAtWindows | undefined> {
  try {
    return (await readLastWatch(context))?.stuck.windows;
  } catch (error) {
    context.logger.warn({ err: error }, 'the last look at windows is not known');
    return undefined;
  }
}
