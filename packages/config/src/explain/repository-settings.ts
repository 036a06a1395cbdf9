/** The settings of a whole repository, of which the first entry counts. */
import type { RepositoryPolicy } from '../server/policy.ts';
import type { RepositoryEntry } from '../server/repository-entry.ts';
import { sourceOf, whyNot, yesOrNo } from './explain-setting.ts';
import type { ExplainedSetting, SettingSource } from './explanation.ts';
import type { EntryPart } from './parts.ts';

type Own = Exclude<keyof RepositoryEntry, 'match' | 'settings' | 'roots'>;

/** As they are written. */
const KEYS = {
  branch: 'branch',
  allowedOverrides: 'allowed_overrides',
  allowedHosts: 'allowed_hosts',
  modulesFrom: 'modules_from',
  lfs: 'lfs',
  pullRequests: 'pull_requests',
  pullRequestComment: 'pull_request_comment',
  forkPlans: 'fork_plans',
  planAllBases: 'plan_all_bases',
  stale: 'stale',
  unlockOnMerge: 'unlock_on_merge',
} as const satisfies Readonly<Record<Own, string>>;

export function explainRepository(
  policy: RepositoryPolicy,
  entries: readonly EntryPart[],
): readonly ExplainedSetting[] {
  const names = Object.keys(KEYS) as Own[]; // The table has no other keys.
  return names.map((name) => {
    const key = KEYS[name];
    const found = entries.flatMap((part) => {
      const value = part.entry[name];
      return value === undefined ? [] : [sourceOf(part, key, wordsOf(value))];
    });
    const [winner] = found;
    const value = policy[name];
    return {
      key,
      isDefault: winner === undefined,
      choice: 'first',
      value: value === undefined ? 'the default branch of the repository' : wordsOf(value),
      sources: found.map((source): SettingSource =>
        source === winner
          ? { ...source, counts: true }
          : { ...source, counts: false, why: whyNot(source, winner, 'first') },
      ),
    };
  });
}

function wordsOf(value: string | boolean | readonly string[]): string | readonly string[] {
  if (typeof value === 'boolean') return yesOrNo(value);
  return value;
}
