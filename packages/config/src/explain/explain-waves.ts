import { durationText } from '@nereid/domain/duration';
import type { RootPlace } from '../server/glob.ts';
import { isInScope } from '../server/scope/scope.ts';
import type { ServerConfig } from '../server/server-config.ts';
import type { WaveConfig } from '../server/waves/waves.ts';
import type { ExplainedSetting } from './explanation.ts';
import { placeIn, type NamedSource } from './parts.ts';
import { matchOf } from './together.ts';

/** The first wave with room takes a root of a merge. */
export function explainWaves(
  { waves }: Pick<ServerConfig, 'waves'>,
  named: NamedSource,
  repository: string,
  place: RootPlace,
): readonly ExplainedSetting[] {
  return [...waves.entries()]
    .filter(([, wave]) => isInScope(wave, { repository, root: place }))
    .map(([index, wave]) => ({
      key: `waves.${wave.name}`,
      value: describeWave(wave),
      isDefault: false,
      choice: 'together',
      sources: [
        {
          ...{ kind: 'server', at: placeIn(named, ['waves', index]), match: matchOf(wave, place) },
          ...{ value: wave.name, counts: true },
        },
      ],
    }));
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

function describeCheck({ name, everyMs, failures }: WaveConfig['checks'][number]): string {
  const count = failures === 1 ? '1 failure' : `${failures} failures`;
  return `${name} (every ${durationText(everyMs)}, halts after ${count})`;
}
