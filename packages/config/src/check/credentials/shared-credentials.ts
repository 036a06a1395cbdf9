/**
 * Rules match places, not code: code that moves to a directory of which less is asked, and that gets the same credentials, has
 * escaped its rule. So each rule is compared with all other directories of its repositories.
 */
import type { PermissionRule, PlanReviewPolicy } from '@nereid/domain/root';
import { matchesGlob, matchesRoot, NAME_RULE } from '../../server/glob.ts';
import { policyFor, type RepositoryPolicy } from '../../server/repository-policy/policy.ts';
import type { LocatedProblem } from '../../environment/configuration-error.ts';
import type { AutoWhenSettings, ReviewSettings } from '../../server/repository-entry.ts';
import { isInScope } from '../../server/scope/scope.ts';
import type { ServerConfig } from '../../server/server-config.ts';
import { formatPath, quote, type Path } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import {
  confirmsLess,
  GUARDED_ACTIONS,
  permitsMore,
  placeAt,
  reviewsLess,
  type GuardedAction,
  type Place,
} from './place.ts';

export function stricterRulesHaveTheirOwnCredentials(server: ServerConfig, report: Pick<Report, 'warn'>): void {
  const judged = new Set<string>();
  let count = 0;
  for (const { match } of server.repositories) {
    const repository = exampleOf(match);
    const policy = repository === undefined ? undefined : policyFor(server, repository);
    if (repository === undefined || policy === undefined) continue;
    const rules = rulesOf(server, repository);
    const places = placesOf(server, policy, repository, rules);
    for (const rule of rules) {
      const found = escapesFrom(rule, places);
      const path = formatPath(rule.path);
      if (found === undefined || judged.has(path)) continue;
      judged.add(path);
      count += 1;
      if (count <= WARNINGS_LIMIT) report.warn(rule.path, found);
    }
  }
  if (count > WARNINGS_LIMIT)
    report.warn(
      [],
      `expected other credentials for ${count - WARNINGS_LIMIT} more rules like the first ones; see there`,
    );
}

/** The same for a configuration that was read: without the lines of its file. */
export function sharedCredentials(server: ServerConfig): readonly LocatedProblem[] {
  const found: LocatedProblem[] = [];
  const warn = (path: Path, message: string) => void found.push({ path: formatPath(path), message });
  stricterRulesHaveTheirOwnCredentials(server, { warn });
  return found;
}

/** Nobody reads more of them; the first ones show what to do. */
const WARNINGS_LIMIT = 20;

/** More than a repository has; each is compared with each other. */
const RULES_LIMIT = 100;

const NAMED_LIMIT = 3;

/** A rule for directories, with what it asks itself. */
interface DirectoryRule {
  readonly path: Path;
  readonly match: string;
  /** One of the directories that it matches. */
  readonly dir: string;
  readonly planReview?: PlanReviewPolicy | undefined;
  readonly permissions?: Readonly<Partial<Record<GuardedAction, PermissionRule>>> | undefined;
  readonly review?: ReviewSettings | undefined;
  readonly autoWhen?: AutoWhenSettings | undefined;
  /** The name of a policy. */
  readonly policy?: string;
}

/** Those of `roots`, and those of required policies. Names are no places. */
function rulesOf(server: ServerConfig, repository: string): readonly DirectoryRule[] {
  const ofRoots = server.repositories.flatMap((entry, index) =>
    matchesGlob(entry.match, repository)
      ? entry.roots.map(({ match, settings: { planReview, permissions, review, autoWhen } }) => {
          return { path: ['repositories', index, 'roots', match], match, planReview, permissions, review, autoWhen };
        })
      : [],
  );
  const ofPolicies = server.policies.flatMap(({ name: policy, enforce, repositories, roots }, index) =>
    enforce === 'required' && isInScope({ repositories, roots: [] }, { repository })
      ? roots.map((match, place) => ({ path: ['policies', index, 'roots', place], match, policy }))
      : [],
  );
  return [...ofRoots, ...ofPolicies]
    .filter(({ match }) => !match.startsWith(NAME_RULE))
    .slice(0, RULES_LIMIT)
    .flatMap((rule) => {
      const dir = exampleOf(rule.match);
      return dir === undefined ? [] : [{ ...rule, dir }];
    });
}

interface NamedPlace extends Place {
  readonly dir: string;
  /** Undefined for directories that no rule is about. */
  readonly match: string | undefined;
}

/** No rule names it, unless it is about all directories. */
const ELSEWHERE = 'a-directory-without-a-rule';

function placesOf(
  server: ServerConfig,
  policy: RepositoryPolicy,
  repository: string,
  rules: readonly DirectoryRule[],
): readonly NamedPlace[] {
  const isRuled = rules.some(({ match }) => matchesRoot(match, { name: ELSEWHERE, dirs: [ELSEWHERE] }));
  const dirs = new Map(rules.map(({ dir, match }) => [dir, match]));
  const all = [...dirs, ...(isRuled ? [] : ([[ELSEWHERE, undefined]] as const))];
  return all.map(([dir, match]) => ({ dir, match, ...placeAt(server, policy, repository, dir) }));
}

/** A sentence; undefined when nobody escapes this rule by moving. */
function escapesFrom(rule: DirectoryRule, places: readonly NamedPlace[]): string | undefined {
  const own = places.find(({ dir }) => dir === rule.dir);
  const others = places.filter(({ credentials }) => credentials.some((one) => own?.credentials.includes(one)));
  const loose = others
    .map(({ match, ...place }) => ({ match, less: askedLess(rule, place) }))
    .filter(({ less }) => less.length > 0);
  if (loose.length === 0) return undefined;
  const where = loose.map(({ match }) => (match === undefined ? 'directories without a rule' : quote(match)));
  const less = [...new Set(loose.flatMap((one) => one.less))].join(', ');
  return `expected credentials that only ${quote(rule.match)} has, found that ${firstOf(where)} have them too and ask for less (${less}), so code that moves there escapes this rule; ask for the same there, or give each its own credentials, in the env of its workflow`;
}

function firstOf(names: readonly string[]): string {
  const further = names.length - NAMED_LIMIT;
  return [...names.slice(0, NAMED_LIMIT), ...(further > 0 ? [`${further} more`] : [])].join(' and ');
}

/** The demands of the rule that the place does not make. */
function askedLess(
  { planReview, permissions = {}, review, autoWhen, policy }: DirectoryRule,
  place: Place,
): readonly string[] {
  const actions = GUARDED_ACTIONS.filter((action) => {
    const wanted = permissions[action];
    return wanted !== undefined && permitsMore(place, action, wanted);
  });
  return [
    ...(planReview !== undefined && reviewsLess(place, planReview) ? ['plan_review'] : []),
    ...(review !== undefined && confirmsLess(place, review) ? ['review'] : []),
    ...(planReview !== undefined && autoWhen === undefined && place.isConfirmedByRules ? ['auto_when'] : []),
    ...actions,
    ...(policy !== undefined && !place.policies.includes(policy) ? [`the policy ${quote(policy)}`] : []),
  ];
}

/** A text that the glob matches; undefined for one that is too odd to find one. */
function exampleOf(glob: string): string | undefined {
  const example = glob
    .replaceAll(/\{([^,{}]*)[^{}]*\}/g, '$1')
    .replaceAll(/\[([^\]])[^\]]*\]/g, '$1')
    .replaceAll(/\*+|\?/g, 'x');
  return matchesGlob(glob, example) ? example : undefined;
}
