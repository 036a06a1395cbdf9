/** Rules for the server's file beyond the shape of its keys. One rule, one test. */
import type { Step } from '@nereid/contracts';
import { nearestOf } from '../yaml/nearest.ts';
import { matchesGlob, NAME_RULE } from './glob.ts';
import { identitiesGoByDirectory, variablesAreForRoots, variablesAreNoSecrets } from './identity/identity-rules.ts';
import { quote, type Path } from '../yaml/problem.ts';
import type { Report, Rule } from '../yaml/report.ts';
import {
  namedHostsExist,
  noLabelIsDefault,
  poolNamesAreUnique,
  poolsHaveKeys,
  poolsHaveKeysOfTheirOwn,
  type PoolSubject,
} from './pools.ts';
import type { PlanPolicy } from './policies/plan-policies.ts';
import type { RepositoryEntry } from './server-config.ts';
import { sharedStateCanBeWritten, statesAreInBackends, type StateSubject } from './states/state-rules.ts';

/** The input of the rules: the parts of the file that have the right shape. */
export interface ServerSubject extends PoolSubject, StateSubject {
  /** Each with its place in the file's list. */
  readonly repositories: readonly { readonly index: number; readonly entry: RepositoryEntry }[];
  /** Undefined when errors in the file hide them. */
  readonly workflowNames: ReadonlySet<string> | undefined;
  readonly jobs: readonly WorkflowJob[];
  /** Each with its place in the file's list. */
  readonly policies: readonly { readonly index: number; readonly policy: PlanPolicy }[];
}

/** One of the two jobs of a workflow. */
export interface WorkflowJob {
  readonly workflow: string;
  readonly job: 'plan' | 'apply';
  readonly steps: readonly Step[];
}

export const serverRules: readonly Rule<ServerSubject>[] = [
  matchesAreUnique,
  modulesAreOfTheSameOwner,
  namedWorkflowsExist,
  rulesByNameAreWeak,
  eachJobHasItsOperation,
  policiesHaveNamesOfTheirOwn,
  requiredPoliciesHaveOwners,
  poolNamesAreUnique,
  noLabelIsDefault,
  poolsHaveKeys,
  poolsHaveKeysOfTheirOwn,
  namedHostsExist,
  variablesAreForRoots,
  variablesAreNoSecrets,
  identitiesGoByDirectory,
  sharedStateCanBeWritten,
  statesAreInBackends,
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

/** A token is of one installation of the App, which is that of one owner. */
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

export function namedWorkflowsExist({ repositories, workflowNames }: ServerSubject, report: Report): void {
  if (!workflowNames) return;
  const check = (path: Path, workflow: string | undefined) => {
    if (workflow === undefined || workflowNames.has(workflow)) return;
    const nearest = nearestOf(workflow, [...workflowNames]);
    const remedy = nearest === undefined ? 'add it under workflows' : `did you mean ${quote(nearest)}?`;
    report.error(path, `expected the name of a workflow, found ${quote(workflow)}; ${remedy}`);
  };
  for (const { index, entry } of repositories) {
    check(['repositories', index, 'workflow'], entry.settings.workflow);
    for (const root of entry.roots)
      check(['repositories', index, 'roots', root.match, 'workflow'], root.settings.workflow);
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

/** Each job has exactly the operation that it is for, so that the plan that was made is the plan that is applied. */
export function eachJobHasItsOperation({ jobs }: ServerSubject, report: Report): void {
  for (const { workflow, job, steps } of jobs) {
    const path = ['workflows', workflow, job];
    const other = job === 'plan' ? 'apply' : 'plan';
    const count = steps.filter(({ kind }) => kind === job).length;
    if (count !== 1) {
      const remedy = count === 0 ? 'add it' : 'remove the others';
      report.error(path, `expected the step ${job} exactly once, found it ${count} times; ${remedy}`);
    }
    if (steps.some(({ kind }) => kind === other))
      report.error(path, `expected no step ${other} in the job ${job}, found one; move it to ${other}`);
  }
}

/** An override names the policies that it is about. */
export function policiesHaveNamesOfTheirOwn({ policies }: ServerSubject, report: Report): void {
  const seen = new Map<string, number>();
  for (const { index, policy } of policies) {
    const first = seen.get(policy.name);
    if (first === undefined) seen.set(policy.name, index);
    else
      report.error(
        ['policies', index, 'name'],
        `expected each name once, found ${quote(policy.name)}, which is policies[${first}] already; choose another one`,
      );
  }
}

/** Otherwise a plan that it denies could never be applied, not even to repair something. */
export function requiredPoliciesHaveOwners({ policies }: ServerSubject, report: Report): void {
  for (const { index, policy } of policies) {
    const { teams, users } = policy.owners;
    if (policy.enforce === 'advisory' || teams.length + users.length > 0) continue;
    report.error(
      ['policies', index, 'owners'],
      'expected somebody who may override this required policy, found nobody; add { teams: [organisation/slug] } or { users: [login] }',
    );
  }
}
