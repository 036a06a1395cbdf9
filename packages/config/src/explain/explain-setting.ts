/** Why a setting of a root has its value: which source won, and why the others did not. The value itself comes from the resolver. */
import { isDeepStrictEqual } from 'node:util';
import type { Choice, ExplainedSetting, SettingSource } from './explanation.ts';
import type { Part } from './parts.ts';
import type { RootSettings } from '../server/repository-entry.ts';

export interface Setting {
  readonly key: string;
  readonly choice: Choice;
  /** As a part has written it; undefined where it does not. */
  readonly writtenIn: (settings: RootSettings) => string | undefined;
  /** As it holds for the root. */
  readonly result: string;
  /** The sources may have other words than the result; by default, they have the same. */
  readonly value?: string;
  /** Whether a rule of the server's file keeps the repository from setting it. */
  readonly isFixed?: boolean;
}

/** `parts` are in the order in which they count. */
export function explainSetting(setting: Setting, parts: readonly Part[]): ExplainedSetting {
  const { key, choice, result, writtenIn, isFixed = false } = setting;
  const found = parts.flatMap((part) => {
    const value = writtenIn(part.settings);
    return value === undefined ? [] : [{ part, value, isBarred: isFixed && part.kind === 'repository' }];
  });
  const winner = found.find(({ value, isBarred }) => !isBarred && value === result);
  return {
    key,
    value: setting.value ?? result,
    isDefault: winner === undefined,
    choice,
    sources: found.map(({ part, value }) => {
      const source = sourceOf(part, key, value);
      if (part === winner?.part) return { ...source, counts: true };
      return {
        ...source,
        counts: false,
        why: whyNot(source, winner && sourceOf(winner.part, key, winner.value), choice),
      };
    }),
  };
}

export function sourceOf(
  { kind, match, placeOf }: Part,
  key: string,
  value: SettingSource['value'],
): Omit<SettingSource, 'counts'> {
  return { kind, at: placeOf(key), ...(match !== undefined && { match }), value };
}

export function yesOrNo(flag: boolean): string {
  return flag ? 'yes' : 'no';
}

type Source = Omit<SettingSource, 'counts'>;

const RULES_FIRST = 'rules for roots count before it';

export function whyNot(loser: Source, winner: Source | undefined, choice: Choice): string {
  if (winner === undefined) return 'the code of the root says which';
  if (loser.kind === 'repository') return 'a rule for roots sets it, which a repository cannot change';
  if (loser.kind === 'rule' && winner.kind !== 'rule') return 'an entry that it cannot loosen is stricter';
  if (isDeepStrictEqual(loser.value, winner.value)) return 'it says the same';
  switch (winner.kind) {
    case 'rule':
      if (loser.kind !== 'rule') return RULES_FIRST;
      return choice === 'strictest' ? 'it is less strict' : 'an earlier rule counts';
    case 'repository':
      return "the repository's file may set it, by allowed_overrides";
    default:
      return 'an earlier entry counts';
  }
}
