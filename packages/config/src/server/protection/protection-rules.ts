/** The environments of GitHub Actions whose jobs wait until roots are applied, as the server's file writes them. */
import type { z } from 'zod';
import { scopeOf } from '../../settings/globs-schema.ts';
import type { Report } from '../../yaml/report.ts';
import { described, object, text } from '../../yaml/schema.ts';
import type { Placed } from '../../yaml/sound.ts';
import { matchesGlob, type RootPlace } from '../glob.ts';
import { warnOfNames } from '../scope/scope-rules.ts';
import { isInScope, type Scope } from '../scope/scope.ts';

/** As many as there are environments of teams. */
export const PROTECTION_RULE_LIMIT = 100;

export const ProtectionRuleEntry = object({
  environment: described(
    text('the name of an environment on GitHub: at most 255 characters on one line', /^[^\p{Cc}\p{Cf}]{1,255}$/u),
    'the environment whose jobs wait; case makes no difference. A job waits for the roots of all entries with its environment',
    'name of an environment on GitHub',
  ),
  ...scopeOf(
    'the repositories whose jobs wait',
    'the roots for which they wait, matched by any of their directories, as for rules',
  ),
});
type ProtectionRuleEntry = z.infer<typeof ProtectionRuleEntry>;

export interface ProtectionRule extends Scope {
  /** GitHub ignores its case. */
  readonly environment: string;
}

export function normaliseProtectionRule(entry: ProtectionRuleEntry): ProtectionRule {
  const { environment, repositories = [], roots = [] } = entry;
  return { environment, repositories, roots };
}

interface Ruled {
  readonly protectionRules: readonly ProtectionRule[];
}

/** Those about jobs of the repository (`owner/name`), of whichever environment. */
export function protectionRulesOf({ protectionRules }: Ruled, repository: string): readonly ProtectionRule[] {
  return protectionRules.filter((rule) => covers(rule, repository));
}

/** Whether jobs of the repository may wait for us. */
export function isProtected(ruled: Ruled, repository: string): boolean {
  return protectionRulesOf(ruled, repository).length > 0;
}

/** A job waits for the roots of all of them. */
export function protectionRulesFor(ruled: Ruled, repository: string, environment: string): readonly ProtectionRule[] {
  const wanted = environment.toLowerCase();
  return protectionRulesOf(ruled, repository).filter((rule) => rule.environment.toLowerCase() === wanted);
}

/** Whether a job that waits by these rules waits for the root. */
export function isAwaited(rules: readonly ProtectionRule[], root: RootPlace): boolean {
  return rules.some(({ roots }) => isInScope({ repositories: [], roots }, { root }));
}

function covers({ repositories }: ProtectionRule, repository: string): boolean {
  return repositories.length === 0 || repositories.some((glob) => matchesGlob(glob, repository));
}

/** The part of the file that the rule below judges. */
export interface ProtectionSubject {
  readonly protectionRules: readonly Placed<ProtectionRule>[];
}

export function protectionGoesByDirectory({ protectionRules }: ProtectionSubject, report: Report): void {
  warnOfNames('protection_rules', 'rule', protectionRules, report);
}
