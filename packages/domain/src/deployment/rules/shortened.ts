/** Ended deployments within the limits of a message: their own records have the rest. Pure. */
import { withWords, type SaidFailure } from '../../host/failure.ts';
import type { MadePlan } from '../../plan/model.ts';
import type { Signed } from '../../signed.ts';
import type { PlanSummary } from '../../plan/summary.ts';
import type { Deployment } from '../model.ts';
import { bytesOf, bytesOfAll } from '../../bytes.ts';

/**
 * Returns the ended deployments that fit into the room. If not all of them fit, those whose own record has the rest are
 * shortened, the oldest first. If that is not enough, the oldest are given up.
 */
export function fitting(
  ended: readonly Deployment[],
  roomBytes: number,
  isRecorded: (deployment: Deployment) => boolean,
): readonly Deployment[] {
  let bytes = bytesOfAll(ended);
  const less = ended.map((deployment) => {
    if (bytes <= roomBytes || !isRecorded(deployment)) return deployment;
    const short = shortened(deployment);
    bytes -= bytesOf(deployment) - bytesOf(short);
    return short;
  });
  const from = less.findIndex((deployment) => {
    if (bytes <= roomBytes) return true;
    bytes -= bytesOf(deployment);
    return false;
  });
  return from === -1 ? [] : less.slice(from);
}

/** Keeps the facts that the check run shows at a glance, and says that there was more. The settings are no longer needed. */
export function shortened(deployment: Deployment): Deployment {
  const { root, progress } = deployment;
  const { plan, failure } = progress;
  return {
    ...deployment,
    root: { ...root, varFiles: [], steps: { plan: [], apply: [] } },
    progress: {
      ...progress,
      ...(plan && { plan: { ...plan, made: shortPlan(plan.made) } }),
      ...(failure && { failure: shortFailure(failure) }),
    },
  };
}

/** Its signature is of the whole plan. */
function shortPlan({ body, signature }: Signed<MadePlan>): Signed<MadePlan> {
  return { body: { ...body, summary: shortSummary(body.summary) }, signature };
}

/** The same holds of a failure. */
function shortFailure(failure: SaidFailure): SaidFailure {
  return withWords(failure, { lines: shortLines(failure.body.lines) });
}

/** Deletes come first. */
const RESOURCES_KEPT = 5;

function shortSummary(summary: PlanSummary): PlanSummary {
  const { resources, omitted } = summary;
  const kept = resources.slice(0, RESOURCES_KEPT);
  return { ...summary, resources: kept, omitted: omitted + resources.length - kept.length };
}

/** The last lines say why. */
const LINES_KEPT = 3;

function shortLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= LINES_KEPT) return lines;
  return ['… shortened: the log has all of it', ...lines.slice(-LINES_KEPT)];
}
