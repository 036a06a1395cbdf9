/**
 * Keeps the deployment's check run true while its workflow runs, as its only writer. It writes only differences, and the newest
 * state wins. Buttons, ends and notices are shown at once, anything else only if it lasts. A GitHub that is slow or away holds
 * up nothing.
 */
import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import { defined } from '@nereid/domain/defined';
import { hasEnded, type Presentation, type Taken } from '@nereid/domain/deployment';
import { appearance, createsCheckRun } from '@nereid/domain/lane';
import { isForged, showCheckRun } from './activities.ts';
import { deploymentOf, type Run } from './run.ts';

/** Runs as long as the workflow does. */
export async function keepShown(run: Run): Promise<never> {
  for (;;) {
    await outdated(run);
    if (!isUrgent(run)) await condition(() => isUrgent(run), run.durations.quietMs, { summary: 'shown if it lasts' });
    if (isOutdated(run) && !run.isWriting) await showNewest(run);
  }
}

/** Waits until the check run is out of date; a notice that has been shown long enough makes it so, too. */
async function outdated(run: Run): Promise<void> {
  const until = run.notice?.until;
  const isToShow = () => isOutdated(run) && !run.isWriting;
  if (until === undefined) return condition(() => isToShow() || run.notice?.until !== undefined);
  const isNew = () => isToShow() || run.notice?.until !== until;
  if (!(await condition(isNew, Math.max(1, Date.parse(until) - Date.now()), { summary: 'a notice has been read' })))
    run.notice = undefined;
}

/**
 * The workflow tries to show its end for this many hours. After that its lane goes on, if it still waits for this workflow. What
 * nobody ordered is never shown.
 */
const HOURS_TRIED = 24;

/** Whether GitHub shows the end, or has not taken it for so long that the workflow gives up. */
export function isEndShown(run: Run): boolean {
  return !isOutdated(run) || run.hoursUnshown >= HOURS_TRIED;
}

export async function endIsShown(run: Run): Promise<void> {
  await condition(() => isEndShown(run));
}

/** Returns once GitHub shows the end, or after this time. */
export async function endIsShownWithin(run: Run, timeMs: number): Promise<void> {
  if (isOutdated(run))
    await condition(() => !isOutdated(run), timeMs, { summary: 'GitHub is told before it is recorded' });
}

function isOutdated(run: Run): boolean {
  return !hasNothingToShow(run) && run.reported.digest !== appearance(wanted(run));
}

/** A preview that is only in the table of its pull request, or that was cancelled before anybody saw a check run of it. */
export function hasNothingToShow({ input, progress, checkRuns, reported }: Run): boolean {
  const { preview } = input.deployment;
  if (preview === undefined) return false;
  const isUnseen = checkRuns.length === 0 && reported.creationUncertain === undefined;
  return preview.isOnlyInTable === true || (progress.status === 'cancelled' && isUnseen);
}

function wanted(run: Run): Presentation {
  const { notice } = run;
  const { sentence, proof } = notice ?? {};
  return {
    deployment: deploymentOf(run),
    ...defined({ notice: sentence }),
    ...(proof && { noticeProof: proof }),
  };
}

function isUrgent({ progress, gate, notice }: Run): boolean {
  const isAsked = gate !== undefined && gate.answer === undefined;
  return hasEnded(progress.status) || isAsked || notice !== undefined;
}

/** Returns the presentation to write. Until the answer is here, nobody knows the content of the check run. */
export function beginWriting(run: Run): Presentation {
  const { creationUncertain } = run.reported;
  const presentation = { ...wanted(run), ...(creationUncertain && { creationUncertain }) };
  const isUncertain = creationUncertain === true || createsCheckRun(presentation);
  run.reported = isUncertain ? { creationUncertain: true } : {};
  run.isWriting = true;
  return presentation;
}

/** The lane has written the check run meanwhile, or tried to, so it is written again. */
export function showAgain(run: Run): void {
  run.isToShowAgain = run.isWriting;
  if (!run.isWriting) run.reported = { creationUncertain: true };
}

/** `shown` is undefined when GitHub may or may not have taken the write. */
export function endWriting(run: Run, presentation: Presentation, shown: Taken | undefined): void {
  run.isWriting = false;
  if (shown?.kind === 'shown') run.checkRuns = shown.checkRuns;
  if (run.isToShowAgain) showAgain(run);
  else if (shown !== undefined) run.reported = { digest: appearance(presentation) };
}

/** The pause after an hour in which GitHub took nothing. */
const PAUSE_MS = 60_000;

/** Writes until GitHub has taken it, or something newer is to be shown. */
async function showNewest(run: Run): Promise<void> {
  const presentation = beginWriting(run);
  const sent = appearance(presentation);
  const showing = new CancellationScope();
  let isOver = false;
  const shown = showing.run(() => showCheckRun(run.input.repository, presentation)).finally(() => (isOver = true));
  await Promise.all([
    shown.then(
      (result) => {
        endWriting(run, presentation, result);
        run.hoursUnshown = 0;
      },
      async (error: unknown) => {
        endWriting(run, presentation, undefined);
        if (isCancellation(error)) return;
        run.hoursUnshown = isForged(error) ? HOURS_TRIED : run.hoursUnshown + 1;
        await sleep(PAUSE_MS, { summary: 'before GitHub is told again' });
      },
    ),
    condition(() => isOver || appearance(wanted(run)) !== sent).then(() => {
      if (!isOver) showing.cancel();
    }),
  ]);
}
