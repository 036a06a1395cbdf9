/** When a person could first see what: taken from the stand-in's changes, not from polling. */
import type { GitHubStandIn } from '@nereid/test-kit';
import { SAMPLE_NAME } from '../sample/repository.ts';

export interface Stopwatch {
  pressed(deploymentId: string, label: string): void;
  /** Milliseconds of each deployment of which both ends were seen. */
  mergeToPlanMs(): readonly number[];
  confirmToAppliedMs(): readonly number[];
  /** Deployments that have a check run. */
  deployments(): readonly string[];
}

interface Times {
  readonly sha: string;
  plan?: number;
  confirmed?: number;
  applied?: number;
}

export function createStopwatch(github: GitHubStandIn): Stopwatch {
  const acceptedBySha = new Map<string, number>();
  const timesById = new Map<string, Times>();
  const look = () => {
    const now = performance.now();
    for (const sha of acceptedPushes(github)) if (!acceptedBySha.has(sha)) acceptedBySha.set(sha, now);
    for (const run of github.checkRuns(SAMPLE_NAME)) {
      if (run.externalId === '') continue;
      const times = timesById.get(run.externalId) ?? { sha: run.headSha };
      timesById.set(run.externalId, times);
      if (run.output.title?.startsWith('Plan: ')) times.plan ??= now;
      if (run.output.title?.startsWith('Applied')) times.applied ??= now;
    }
  };
  github.onChange(look);
  const all = () => [...timesById.values()];
  return {
    pressed(deploymentId, label) {
      const times = timesById.get(deploymentId);
      if (label === 'Confirm' && times) times.confirmed ??= performance.now();
    },
    mergeToPlanMs: () => all().flatMap(({ sha, plan }) => between(acceptedBySha.get(sha), plan)),
    confirmToAppliedMs: () => all().flatMap(({ confirmed, applied }) => between(confirmed, applied)),
    deployments: () => [...timesById.keys()],
  };
}

/** The heads of pushes that the gateway took. */
function acceptedPushes(github: GitHubStandIn): readonly string[] {
  return github
    .deliveries()
    .filter(({ event, statusCode }) => event === 'push' && statusCode === 202)
    .map(({ payload }) => /"after":"([0-9a-f]{40})"/.exec(payload)?.[1] ?? '');
}

function between(start: number | undefined, end: number | undefined): number[] {
  // A push to a branch may be accepted after the plan of a manual deployment was seen.
  return start === undefined || end === undefined || end < start ? [] : [end - start];
}
