/** The cost of the story: how long people waited, how many requests GitHub got, how many events Temporal had to keep. */
import type { Scene } from './scene.ts';

export async function measurementsOf({ github, stopwatch, workflows }: Scene): Promise<readonly string[]> {
  const deployments = stopwatch.deployments().length;
  const events = await workflows.historyEvents();
  const counts = github.requestCounts();
  const gitRequests = sum(counts.filter(({ route }) => route.startsWith('git ')).map(({ count }) => count));
  const unchanged = sum(counts.filter(({ status }) => status === 304).map(({ count }) => count));
  const requests = sum(counts.map(({ count }) => count)) - gitRequests - unchanged;
  const each = (total: number) => (total / Math.max(deployments, 1)).toFixed(1);
  const byKind = Object.entries(events).map(([kind, count]) => `${kind} ${each(count)}`);
  return [
    `deployments                      ${deployments}`,
    `webhook accepted → plan visible  ${spread(stopwatch.mergeToPlanMs())}`,
    `Confirm → applied visible        ${spread(stopwatch.confirmToAppliedMs())}`,
    `GitHub requests per deployment   ${each(requests)} (and ${each(unchanged)} that cost none of its budget, git ${each(gitRequests)})`,
    `history events per deployment    ${each(sum(Object.values(events)))} (${byKind.join(', ')})`,
  ];
}

function spread(timesMs: readonly number[]): string {
  const sorted = timesMs.toSorted((one, other) => one - other);
  const at = (share: number) => seconds(sorted[Math.floor((sorted.length - 1) * share)]);
  return `median ${at(0.5)}, fastest ${at(0)}, slowest ${at(1)} (of ${sorted.length})`;
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? '–' : `${(ms / 1000).toFixed(2)} s`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
