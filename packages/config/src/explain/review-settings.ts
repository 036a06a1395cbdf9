/** Who has to confirm the plans of a root, and which of them need nobody: of several rules, all count. */
import { isDeepStrictEqual } from 'node:util';
import { describePeople, describeRules } from '@nereid/domain/gates';
import type { AutoRule, Root } from '@nereid/domain/root';
import type { AutoWhenSettings } from '../server/repository-entry.ts';
import { sourceOf, whyNot } from './explain-setting.ts';
import type { ExplainedSetting, SettingSource } from './explanation.ts';
import type { Part } from './parts.ts';

/** One person is enough where nobody says otherwise. */
const ONE = { count: 1, eachOf: [] };

/** How many people, and of which teams. */
export function explainPeople({ review = ONE }: Pick<Root, 'review'>, parts: readonly Part[]): ExplainedSetting {
  const left = new Set(review.eachOf.map((team) => team.toLowerCase()));
  let isCounted = false;
  const found = parts.flatMap((part): readonly Found[] => {
    const { count, eachOf } = part.settings.review ?? {};
    const isCount = !isCounted && count === review.count;
    isCounted ||= isCount;
    const own = (eachOf ?? []).filter((team) => left.delete(team.toLowerCase()));
    return [
      ...(count === undefined
        ? []
        : [{ source: sourceOf(part, 'review.count', describePeople({ count, eachOf: [] })), counts: isCount }]),
      ...(eachOf === undefined
        ? []
        : [{ source: sourceOf(part, 'review.each_of', describePeople(peopleOf(eachOf))), counts: own.length > 0 }]),
    ];
  });
  return togetherOf('review', describePeople(review), found);
}

function peopleOf(eachOf: readonly string[]) {
  return { count: eachOf.length, eachOf };
}

/** Plans that need nobody. */
export function explainAutoWhen(
  { autoWhen = [], permissions }: Pick<Root, 'autoWhen' | 'permissions'>,
  parts: readonly Part[],
): ExplainedSetting {
  const isColleagueAsked = permissions.confirm?.some(({ notAuthor }) => notAuthor) === true;
  const found = parts.flatMap((part): readonly Found[] => {
    const own = part.settings.autoWhen;
    if (own === undefined) return [];
    const { authors, ...rule } = own;
    const counts = autoWhen.some(({ of: _match, digest: _ofIt, ...settled }) => isDeepStrictEqual(settled, rule));
    const why = isColleagueAsked && authors !== 'any' ? COLLEAGUE_ASKED : NOT_GRANTED;
    return [{ source: sourceOf(part, 'auto_when', describeAutoWhen(part, rule)), counts, why }];
  });
  return togetherOf('auto_when', autoWhen.length === 0 ? 'never' : describeRules(autoWhen), found);
}

const COLLEAGUE_ASKED = 'not_author holds for the root, so a person is asked, unless auto_when says authors: any';
const NOT_GRANTED = 'another rule that counts for the root has no such auto_when';

function describeAutoWhen({ match = '' }: Part, rule: Omit<AutoWhenSettings, 'authors'>): string {
  const named: AutoRule = { of: match, digest: '', ...rule };
  return describeRules([named]);
}

interface Found {
  readonly source: Omit<SettingSource, 'counts'>;
  readonly counts: boolean;
  readonly why?: string;
}

function togetherOf(key: string, value: string, found: readonly Found[]): ExplainedSetting {
  const winner = found.find(({ counts }) => counts)?.source;
  return {
    ...{ key, value, choice: 'together', isDefault: winner === undefined },
    sources: found.map(({ source, counts, why }) =>
      counts ? { ...source, counts } : { ...source, counts, why: why ?? whyNot(source, winner, 'strictest') },
    ),
  };
}
