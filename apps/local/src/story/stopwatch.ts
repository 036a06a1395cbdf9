/** Measures when a person could first see a plan or an apply, by the stand-in's changes instead of polling. */
import type { CheckRun, GitHubStandIn } from '@nereid/github-stand-in';
import { SAMPLE_NAME } from '../sample/repository.ts';

export interface Stopwatch {
  pressed(deploymentId: string, label: string): void;
  /** Only for deployments of merges that nothing held up: no queue, no lock, no re-run. */
  mergeToPlanMs(): readonly number[];
  confirmToAppliedMs(): readonly number[];
  /** Deployments that have a check run. */
  deployments(): readonly string[];
}

interface Times {
  /** The check run's place, `<sha> <name>`; a re-run has the same. */
  readonly place: string;
  readonly sha: string;
  heldUp: boolean;
  plan?: number;
  confirmed?: number;
  applied?: number;
}

export function createStopwatch(github: GitHubStandIn): Stopwatch {
  const acceptedBySha = new Map<string, number>();
  const timesById = new Map<string, Times>();
  const all = () => [...timesById.values()];
  github.onChange(() => {
    const now = performance.now();
    for (const sha of acceptedMerges(github)) if (!acceptedBySha.has(sha)) acceptedBySha.set(sha, now);
    for (const run of github.checkRuns(SAMPLE_NAME)) {
      if (!run.name.startsWith('nereid/deploy: ')) continue;
      const times = timesById.get(run.externalId) ?? timesOf(run, all());
      timesById.set(run.externalId, times);
      if (/^(Queued|Waiting)/.test(run.output.title ?? '')) times.heldUp = true;
      if (run.output.title?.startsWith('Plan: ')) times.plan ??= now;
      if (run.output.title?.startsWith('Applied')) times.applied ??= now;
    }
  });
  return {
    pressed(deploymentId, label) {
      const times = timesById.get(deploymentId);
      if (label === 'Confirm' && times) times.confirmed ??= performance.now();
    },
    mergeToPlanMs: () =>
      all().flatMap(({ sha, heldUp, plan }) => (heldUp ? [] : between(acceptedBySha.get(sha), plan))),
    confirmToAppliedMs: () => all().flatMap(({ confirmed, applied }) => between(confirmed, applied)),
    deployments: () => [...timesById.keys()],
  };
}

function timesOf({ headSha, name }: Readonly<CheckRun>, others: readonly Times[]): Times {
  const place = `${headSha} ${name}`;
  return { place, sha: headSha, heldUp: others.some((other) => other.place === place) };
}

/** The heads of pushes to the default branch that the gateway took. */
function acceptedMerges(github: GitHubStandIn): readonly string[] {
  return github
    .deliveries()
    .filter(({ event, statusCode, payload }) => {
      return event === 'push' && statusCode === 202 && payload.includes('"ref":"refs/heads/main"');
    })
    .map(({ payload }) => /"after":"([0-9a-f]{40})"/.exec(payload)?.[1] ?? '');
}

function between(start: number | undefined, end: number | undefined): number[] {
  return start === undefined || end === undefined ? [] : [end - start];
}
