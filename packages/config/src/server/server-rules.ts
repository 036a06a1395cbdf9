/** Rules for the server's file beyond the shape of its keys. One rule, one test. */
import {
  argumentsGoThroughNoShell,
  argumentVariablesAreKnown,
  argumentVariablesAreValues,
} from './arguments/argument-rules.ts';
import {
  budgetsGoByDirectory,
  budgetsHaveNamesOfTheirOwn,
  budgetsLimitSomething,
  type BudgetSubject,
} from './budgets/budget.ts';
import { NAME_RULE, matchesGlob } from './glob.ts';
import { identitiesGoByDirectory, variablesAreForRoots, variablesAreNoSecrets } from './identity/identity-rules.ts';
import {
  secretsFolderIsApart,
  secretsGoByDirectory,
  secretsHaveAFolder,
  secretsNeedASandbox,
  type SecretSubject,
} from './identity/secret-rules.ts';
import { quote } from '../yaml/problem.ts';
import type { Report, Rule } from '../yaml/report.ts';
import {
  policiesHaveNamesOfTheirOwn,
  requiredPoliciesHaveOwners,
  type PolicySubject,
} from './policies/plan-policies.ts';
import {
  namedHostsExist,
  noLabelIsDefault,
  poolNamesAreUnique,
  poolsHaveKeys,
  poolsHaveKeysOfTheirOwn,
  type PoolSubject,
} from './pools.ts';
import {
  autoWhenNamesPolicies,
  eachTeamHasAPerson,
  enoughPeopleMayConfirm,
  severalConfirmAfterTheMerge,
  teamsAreNamedOnce,
} from './review/review-rules.ts';
import { remindersComeInTime, workingHoursEndAfterTheyBegin } from './review/reminder-rules.ts';
import { protectionGoesByDirectory, type ProtectionSubject } from './protection/protection-rules.ts';
import { sharedStateCanBeWritten, statesAreInBackends, type StateSubject } from './states/state-rules.ts';
import { destinationNamesAreUnique, type DestinationSubject } from './notifications/destination-rules.ts';
import type { RepositoryEntry } from './repository-entry.ts';
import { scopesMatchSomeRepository, scopesMatchSomeRoot, type ScopeSubject } from './scope/scope-rules.ts';
import { wavesGoByDirectory, wavesHaveNamesOfTheirOwn, type WaveSubject } from './waves/waves.ts';
import {
  windowsCanBeComputed,
  windowsGoByDirectory,
  windowsHaveNamesOfTheirOwn,
  type WindowSubject,
} from './windows/window-rules.ts';
import { eachJobHasItsOperation, namedWorkflowsExist, type WorkflowSubject } from './workflows/workflow-rules.ts';

/** The input of the rules: the parts of the file that have the right shape. */
export interface ServerSubject
  extends
    BudgetSubject,
    DestinationSubject,
    PolicySubject,
    PoolSubject,
    ProtectionSubject,
    ScopeSubject,
    SecretSubject,
    StateSubject,
    WaveSubject,
    WindowSubject,
    WorkflowSubject {
  readonly terraform: SecretSubject['terraform'] & StateSubject['terraform'];
  /** Each with its place in the file's list. */
  readonly repositories: readonly { readonly index: number; readonly entry: RepositoryEntry }[];
}

export const serverRules: readonly Rule<ServerSubject>[] = [
  matchesAreUnique,
  modulesAreOfTheSameOwner,
  namedWorkflowsExist,
  rulesByNameAreWeak,
  eachJobHasItsOperation,
  argumentVariablesAreKnown,
  argumentVariablesAreValues,
  argumentsGoThroughNoShell,
  eachTeamHasAPerson,
  enoughPeopleMayConfirm,
  teamsAreNamedOnce,
  workingHoursEndAfterTheyBegin,
  remindersComeInTime,
  severalConfirmAfterTheMerge,
  autoWhenNamesPolicies,
  policiesHaveNamesOfTheirOwn,
  requiredPoliciesHaveOwners,
  windowsHaveNamesOfTheirOwn,
  windowsCanBeComputed,
  windowsGoByDirectory,
  budgetsHaveNamesOfTheirOwn,
  budgetsLimitSomething,
  budgetsGoByDirectory,
  wavesHaveNamesOfTheirOwn,
  wavesGoByDirectory,
  poolNamesAreUnique,
  noLabelIsDefault,
  poolsHaveKeys,
  poolsHaveKeysOfTheirOwn,
  namedHostsExist,
  variablesAreForRoots,
  variablesAreNoSecrets,
  identitiesGoByDirectory,
  secretsGoByDirectory,
  secretsHaveAFolder,
  secretsFolderIsApart,
  secretsNeedASandbox,
  sharedStateCanBeWritten,
  statesAreInBackends,
  destinationNamesAreUnique,
  protectionGoesByDirectory,
  scopesMatchSomeRepository,
  scopesMatchSomeRoot,
];

export function matchesAreUnique({ repositories }: ServerSubject, report: Report): void {
  const seen = new Map<string, number>();
  for (const { index, entry } of repositories) {
    const first = seen.get(entry.match.toLowerCase());
    if (first === undefined) seen.set(entry.match.toLowerCase(), index);
    else
      report.error(
        ['repositories', index, 'match'],
        `expected each match once, found ${quote(entry.match)}, which is repositories[${first}] already; merge the two`,
      );
  }
}

/** A token is of one installation of the App, which belongs to one owner. */
export function modulesAreOfTheSameOwner({ repositories }: ServerSubject, report: Report): void {
  for (const { index, entry } of repositories) {
    const [owner = ''] = entry.match.split('/');
    for (const [place, pattern] of (entry.modulesFrom ?? []).entries()) {
      const [other = ''] = pattern.split('/');
      if (matchesGlob(owner, other)) continue;
      report.error(
        ['repositories', index, 'modules_from', place],
        `expected a repository of ${quote(owner)}, found ${quote(pattern)}: a token of the App reads the repositories of one owner; move the modules there, or make them public`,
      );
    }
  }
}

/** A repository's own file gives its roots their names. */
export function rulesByNameAreWeak({ repositories }: ServerSubject, report: Report): void {
  for (const { index, entry } of repositories) {
    for (const { match } of entry.roots.filter((rule) => rule.match.startsWith(NAME_RULE)))
      report.warn(
        ['repositories', index, 'roots', match],
        `expected a directory, found the name ${quote(match)}: a repository names its roots itself, so it can escape this rule; match the directory`,
      );
  }
}
