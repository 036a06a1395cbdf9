/** The settings of a whole repository, of which the first entry counts. */
import type { RepositoryPolicy } from '../server/repository-policy/policy.ts';
import { REPOSITORY_KEYS } from '../server/repository-entry-schema.ts';
import type { OwnSettings } from '../server/repository-entry.ts';
import { camelCase } from '../settings/camel-keys.ts';
import { sourceOf, whyNot, yesOrNo } from './explain-setting.ts';
import type { ExplainedSetting, SettingSource } from './explanation.ts';
import type { EntryPart } from './parts.ts';

type Own = Exclude<keyof OwnSettings, 'match'>;

export function explainRepository(
  policy: RepositoryPolicy,
  entries: readonly EntryPart[],
): readonly ExplainedSetting[] {
  return REPOSITORY_KEYS.filter((key) => key !== 'match').map((key) => {
    const name = camelCase(key) as Own; // As the entries have it.
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
