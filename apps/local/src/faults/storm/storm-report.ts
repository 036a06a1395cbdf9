/** The storm in numbers. */
import type { Findings } from './findings.ts';
import type { Storm } from './run-storm.ts';

const ROUTES_SHOWN = 12;

export function reportOf(
  { facts, requests, disturbed, tookMs, longestHistory }: Storm,
  findings: Findings,
  seed: number,
): string {
  const { pushed, pressed, closed, deliveries, deployments, ledger, audited, rollouts, skipped, spans, narrow } = facts;
  const failed = deliveries.filter(({ statusCode }) => statusCode !== 202).length;
  const lines: readonly (readonly [string, string | number])[] = [
    ['seed', seed],
    ['webhooks', `${deliveries.length}, of which ${failed} failed`],
    ['pushes', `${pushed.length}, of which ${pushed.filter(({ kind }) => kind === 'manual').length} by hand`],
    ['presses', pressed.length],
    ['closed gates', `${closed.length} (${countedOf(closed.map(({ by }) => by))})`],
    ['kills or restarts', `${disturbed.length} (${countedOf(disturbed)})`],
    ['deployments', `${deployments.length} (${countedOf(deployments.map(({ progress }) => progress.status))})`],
    ['applied, by the ledger', ledger.length],
    ['of them with a budget of one', spans.filter(({ rootName }) => narrow.includes(rootName)).length],
    ['merges in waves', rollouts.filter(({ waves }) => waves !== undefined).length],
    ['skipped waves', skipped.length],
    ['events of the audit trail', `${audited.length} (${countedOf(audited.map(({ state }) => state))})`],
    ['requests to GitHub', requests.reduce((sum, { count }) => sum + count, 0)],
    ...requests.slice(0, ROUTES_SHOWN).map(({ route, status, count }) => [`  ${route} (${status})`, count] as const),
    ['longest history of a lane', longestHistory],
    [
      'took',
      `${Math.round(tookMs / 1_000)} s, ${((deployments.length / tookMs) * 60_000).toFixed(1)} deployments a minute`,
    ],
    ...Object.entries(findings).map(([rule, broken]) => [`not so: ${rule}`, broken.length] as const),
  ];
  return lines.map(([what, value]) => `  ${what.padEnd(70)} ${value}`).join('\n');
}

function countedOf(names: readonly string[]): string {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, all]) => `${all.length} ${name}`)
    .sort()
    .join(', ');
}
