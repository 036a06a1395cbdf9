import { durationText } from '@nereid/domain/duration';
import type { RootPlace } from '../server/glob.ts';
import { isInScope } from '../server/scope/scope.ts';
import type { ServerConfig } from '../server/server-config.ts';
import type { WaveConfig } from '../server/waves/waves.ts';
import type { ExplainedSetting } from './explanation.ts';
import { explainEntry } from './explain-entry.ts';
import type { NamedSource } from './parts.ts';

/** The first wave with room takes a root of a merge. */
export function explainWaves(
  { waves }: Pick<ServerConfig, 'waves'>,
  named: NamedSource,
  repository: string,
  place: RootPlace,
): readonly ExplainedSetting[] {
  return [...waves.entries()]
    .filter(([, wave]) => isInScope(wave, { repository, root: place }))
    .map(([index, entry]) =>
      explainEntry({ section: 'waves', index, entry, value: describeWave(entry), written: entry.name }, named, place),
    );
}

/** "at most 10% of the roots of a merge, then it soaks for 30m, and is checked by errors (every 1m, halts after 3 failures)". */
function describeWave({ max, soakMs, checks }: WaveConfig): string {
  const roots = 'count' in max ? `at most ${max.count} of the roots` : shareOf(max.percent);
  const soak = soakMs === 0 ? '' : `, then it soaks for ${durationText(soakMs)}`;
  const checked = checks.length === 0 ? '' : `, and is checked by ${checks.map(describeCheck).join(' and ')}`;
  return `${roots} of a merge${soak}${checked}`;
}

function shareOf(percent: number): string {
  return percent === 100 ? 'all roots' : `at most ${percent}% of the roots`;
}

function describeCheck({ name, target, everyMs, failures }: WaveConfig['checks'][number]): string {
  const count = failures === 1 ? '1 failure' : `${failures} failures`;
  const command = target.kind === 'run' ? `a command in ${target.rootName ?? 'the first root of the wave'}, ` : '';
  return `${name} (${command}every ${durationText(everyMs)}, halts after ${count})`;
}
