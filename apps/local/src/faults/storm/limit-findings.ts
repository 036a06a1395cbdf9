/** Checks that budgets and waves held: how many applied at once, and what began before what. */
import type { Facts, Findings } from './findings.ts';
import type { EndedDeployment } from './records.ts';

/** The facts of a storm without budgets and waves break none of these. */
export function brokenLimits(facts: Facts): Findings {
  return {
    'no budget had more applies at once than it has': appliedAtOnce(facts),
    'no wave began before the one before it was deployed, and had soaked': beganEarly(facts),
  };
}

/** By the clock of the machine, read by the applies themselves. */
function appliedAtOnce({ spans, narrow }: Facts): string[] {
  const shared = spans
    .filter(({ rootName }) => narrow.includes(rootName))
    .toSorted((one, other) => one.fromMs - other.fromMs);
  return shared.flatMap(({ name, fromMs }, index) => {
    const before = shared.slice(0, index).find(({ toMs }) => toMs > fromMs);
    return before === undefined ? [] : [`${name} began at ${fromMs}, ${before.name} ended at ${before.toMs}`];
  });
}

function beganEarly(facts: Facts): string[] {
  return facts.rollouts.flatMap(({ id, revision, waves = [] }) => {
    const skipped = new Set(facts.skipped.filter(({ rollout }) => rollout === id).map(({ wave }) => wave));
    return waves.flatMap(({ rootNames, soakMs }, index) => {
      if (skipped.has(index + 1)) return [];
      const later = waves.slice(index + 1).flatMap((wave) => wave.rootNames);
      const overMs = soakMs + Math.max(...rootNames.map((rootName) => deployedAtMs(facts, rootName, revision)));
      return begunOf(facts, revision, later)
        .filter(({ startedAt }) => Date.parse(startedAt) < overMs)
        .map(({ rootName, startedAt }) => `${rootName} of ${id}: at ${startedAt}, wave ${index + 1} over at ${overMs}`);
    });
  });
}

function begunOf({ audited }: Facts, revision: string, rootNames: readonly string[]) {
  return audited.flatMap((event) =>
    event.state === 'RUNNING' && event.revision === revision && rootNames.includes(event.rootName) ? [event] : [],
  );
}

/** When the root had the revision first, also by a later one; never, if it had not. */
function deployedAtMs({ deployments, pushed }: Facts, rootName: string, revision: string): number {
  const placeOf = (sha: string) => pushed.findIndex((one) => one.sha === sha);
  const isThere = ({ root, revision: { sha }, progress: { status } }: EndedDeployment) =>
    root.name === rootName && placeOf(sha) >= placeOf(revision) && (status === 'succeeded' || status === 'no-changes');
  return Math.min(...deployments.filter(isThere).map(({ endedAt }) => Date.parse(endedAt)));
}
