/** Rules about who has to confirm plans, beyond the shape of the keys. */
import { quote, type Path } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import type { RepositoryEntry, RootSettings } from '../repository-entry.ts';

export interface ReviewSubject {
  readonly repositories: readonly { readonly index: number; readonly entry: RepositoryEntry }[];
}

interface AutoWhenSubject extends ReviewSubject {
  readonly policies: readonly { readonly value: { readonly name: string } }[];
}

interface PlacedSettings {
  readonly path: Path;
  readonly settings: RootSettings;
}

/** One person counts for one team. */
export function eachTeamHasAPerson(subject: ReviewSubject, report: Report): void {
  for (const { path, settings } of settingsOf(subject)) {
    const { count, eachOf = [] } = settings.review ?? {};
    if (count === undefined || count >= eachOf.length) continue;
    report.error(
      [...path, 'review', 'count'],
      `expected at least ${eachOf.length}, one person for each team of each_of, found ${count}; leave count out, or name fewer teams`,
    );
  }
}

/** Otherwise nobody could ever apply such a plan. */
export function enoughPeopleMayConfirm(subject: ReviewSubject, report: Report): void {
  for (const { path, settings } of settingsOf(subject)) {
    const users = settings.permissions?.confirm?.users;
    const { count = 1, eachOf = [] } = settings.review ?? {};
    const needed = Math.max(count, eachOf.length);
    if (users === undefined || settings.review === undefined || users.length >= needed) continue;
    report.error(
      [...path, 'review'],
      `expected at most ${users.length} people to confirm a plan, as many as permissions.confirm.users names, found ${needed}; name more users, or a team`,
    );
  }
}

export function teamsAreNamedOnce(subject: ReviewSubject, report: Report): void {
  for (const { path, settings } of settingsOf(subject)) {
    const seen = new Set<string>();
    for (const [place, team] of (settings.review?.eachOf ?? []).entries()) {
      if (seen.has(team.toLowerCase()))
        report.error(
          [...path, 'review', 'each_of', place],
          `expected each team once, found ${quote(team)} again; remove it`,
        );
      seen.add(team.toLowerCase());
    }
  }
}

/** A review before the merge is one person's. */
export function severalConfirmAfterTheMerge(subject: ReviewSubject, report: Report): void {
  for (const { path, settings } of settingsOf(subject)) {
    const { count = 1, eachOf = [] } = settings.review ?? {};
    if (settings.planReview !== 'before_merge' || (count === 1 && eachOf.length === 0)) continue;
    report.warn(
      [...path, 'plan_review'],
      'expected required where several people confirm, found before_merge: a review before the merge counts for one person, so these plans are confirmed after the merge',
    );
  }
}

/** A policy that judges nothing never passes a plan, so nobody would see why a person is asked. */
export function autoWhenNamesPolicies({ policies, ...subject }: AutoWhenSubject, report: Report): void {
  const names = policies.map(({ value }) => value.name);
  for (const { path, settings } of settingsOf(subject)) {
    for (const [place, name] of (settings.autoWhen?.policies ?? []).entries()) {
      if (names.includes(name)) continue;
      report.error(
        [...path, 'auto_when', 'policies', place],
        `expected a policy of this file, found ${quote(name)}; ${names.length === 0 ? 'it has none: add it to policies' : `choose one of ${names.join(', ')}`}`,
      );
    }
  }
}

export function settingsOf({ repositories }: ReviewSubject): readonly PlacedSettings[] {
  return repositories.flatMap(({ index, entry }) => [
    { path: ['repositories', index], settings: entry.settings },
    ...entry.roots.map(({ match, settings }) => ({ path: ['repositories', index, 'roots', match], settings })),
  ]);
}
