/** The waves of the server's file: which of a merge's roots go first, and how long the others wait. */
import type { WaveRule } from '@nereid/domain/rollout';
import { z } from 'zod';
import { millisecondsOf } from '@nereid/domain/duration';
import { scopeOf } from '../../settings/globs-schema.ts';
import { durationBetween } from '../../settings/duration-between.ts';
import { reportRepeatedNames } from '../../yaml/names-once.ts';
import type { Report } from '../../yaml/report.ts';
import { described, object, text } from '../../yaml/schema.ts';
import type { Placed } from '../../yaml/sound.ts';
import type { RootPlace } from '../glob.ts';
import { warnOfNames } from '../scope/scope-rules.ts';
import { isInScope, type Scope } from '../scope/scope.ts';
import { CHECKS, normaliseCheck, type WaveCheck } from './wave-checks.ts';

/** More are a rollout of weeks. */
export const WAVE_LIMIT = 20;

/** No repository has more roots. */
const COUNT_LIMIT = 10_000;

const MAX_EXPECTED = `a number from 1 to ${COUNT_LIMIT}, or a share from 1% to 100%`;

const MAX = z.union(
  [z.int(MAX_EXPECTED).min(1, MAX_EXPECTED).max(COUNT_LIMIT, MAX_EXPECTED), text(MAX_EXPECTED, /^([1-9]\d?|100)%$/)],
  MAX_EXPECTED,
);

export const WaveEntry = object({
  name: described(
    text('a name of at most 60 characters on one line', /^[^\p{Cc}\p{Cf}]{1,60}$/u),
    'shown to people who wait; unique',
    'up to 60 characters',
  ),
  ...scopeOf(
    'the repositories that it is about',
    'the roots that it is about, matched by any of their directories, as for rules',
  ),
  max: described(
    MAX.optional(),
    "how many roots it takes at most; a share is one of the merge's roots that the wave is about",
    'number, or a share like `10%` (all)',
  ),
  soak: described(
    durationBetween('1s', '7d', '30m').optional(),
    'how long the next wave waits after the last deployment of this one',
    '`1s` to `7d` (none)',
  ),
  checks: described(
    CHECKS.optional(),
    'the [checks](guides/waves.md#checks) that have to pass while it soaks, and at the end of that',
    'list of up to 10 (none)',
  ),
});
type WaveEntry = z.infer<typeof WaveEntry>;

export interface WaveConfig extends Scope {
  /** Said on check runs. */
  readonly name: string;
  /** How many roots it takes at most, as a number or as a share of the merge's roots that it is about. */
  readonly max: { readonly count: number } | { readonly percent: number };
  readonly soakMs: number;
  /** What has to be right while it soaks, and at the end of that. */
  readonly checks: readonly WaveCheck[];
}

export function normaliseWave({
  name,
  repositories = [],
  roots = [],
  max = '100%',
  soak,
  checks = [],
}: WaveEntry): WaveConfig {
  return {
    ...{ name, repositories, roots },
    max: typeof max === 'number' ? { count: max } : { percent: Number.parseInt(max, 10) },
    soakMs: (soak === undefined ? undefined : millisecondsOf(soak)) ?? 0,
    checks: checks.map(normaliseCheck),
  };
}

/** The waves of one merge, with the roots of it that each is about. `repository` is `owner/name`. */
export function wavesFor(
  { waves }: { readonly waves: readonly WaveConfig[] },
  repository: string,
  places: readonly RootPlace[],
): readonly WaveRule[] {
  return waves.map((wave) => {
    const rootNames = places.filter((root) => isInScope(wave, { repository, root })).map(({ name }) => name);
    return { name: wave.name, soakMs: wave.soakMs, rootNames, most: mostOf(wave.max, rootNames.length) };
  });
}

/** Those of the wave as the file has it now: whoever writes it may mend an address, or remove a check, while a merge waits. */
export function checksOf({ waves }: { readonly waves: readonly WaveConfig[] }, waveName: string): WaveConfig['checks'] {
  return waves.find(({ name }) => name === waveName)?.checks ?? [];
}

/** A share of some roots is at least one of them. */
function mostOf(max: WaveConfig['max'], count: number): number {
  return 'count' in max ? max.count : Math.ceil((count * max.percent) / 100);
}

/** The part of the file that the rules below judge. */
export interface WaveSubject {
  readonly waves: readonly Placed<WaveConfig>[];
}

/** People who wait read the name. */
export function wavesHaveNamesOfTheirOwn({ waves }: WaveSubject, report: Report): void {
  reportRepeatedNames('waves', waves, report);
}

export function wavesGoByDirectory({ waves }: WaveSubject, report: Report): void {
  warnOfNames('waves', 'wave', waves, report);
}
