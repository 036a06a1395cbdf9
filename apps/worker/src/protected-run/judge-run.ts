import { protectionRulesFor } from '@nereid/config';
import type { ProtectedRunEvent } from '@nereid/domain/intake';
import { fullName, type Repository } from '@nereid/domain/root';
import { deploymentUrl } from '@nereid/texts';
import pMap from 'p-map';
import { isWithin } from '../root/is-within.ts';
import type { RevisionTools } from '../root/revision-tools.ts';
import {
  checksNothing,
  judge,
  notDeployed,
  uncovered,
  unreadable,
  type Judgement,
  type NamedRootAt,
} from './describe-judgement.ts';
import {
  deployedBranch,
  readCommit,
  UnreadableCommitError,
  type JudgedCommit,
  type KnownMatches,
} from './judged-commit.ts';
import { readRoot, rootAt, type RootAt } from './root-at.ts';

/** Storage answers in tens of milliseconds, and has others to answer meanwhile. */
const AT_ONCE = 8;

export interface JudgedRun extends Judgement {
  /** The commit may only not have been seen yet. */
  readonly isAbsent?: true;
}

export type JudgeRun = (event: Pick<ProtectedRunEvent, 'environment' | 'sha'>) => Promise<JudgedRun>;

/** Judges the runs of one repository in one look: the branch and each root are asked for once, however many runs wait. */
export function createJudge(tools: RevisionTools, repository: Repository, known: KnownMatches): JudgeRun {
  const { context } = tools;
  const branch = remembered(() => deployedBranch(tools, repository));
  const root = remembered((name: string) => readRoot(context, repository, name));

  async function rootIn(commit: JudgedCommit, name: string): Promise<NamedRootAt> {
    const at = await rootAt(context, commit, name, await root(name));
    return { name, at, ...pageOf(context.config.links.consoleUrl, repository, name, at) };
  }

  async function judgeCommit(environment: string, sha: string): Promise<JudgedRun> {
    const rules = protectionRulesFor(context.server.current(), fullName(repository), environment);
    const deployed = rules.length === 0 ? undefined : await branch('');
    if (deployed === undefined) return uncovered(environment);
    const { name, head } = deployed;
    if (head === undefined || !(await isWithin(tools, repository, sha, head)))
      return { ...notDeployed(sha, name), isAbsent: true };
    const commit = await readCommit(tools, deployed, sha, rules, known);
    const [idle] = commit.idleRules;
    if (idle !== undefined) return checksNothing(sha, idle);
    const roots = await pMap(commit.rootNames, (each) => rootIn(commit, each), { concurrency: AT_ONCE });
    return judge(sha, roots, commit.unmatched);
  }

  return ({ environment, sha }) =>
    judgeCommit(environment, sha).catch((error: unknown) => {
      if (error instanceof UnreadableCommitError) return unreadable(sha, error.file);
      throw error;
    });
}

/** A failure is remembered, too: the next look asks again. */
function remembered<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return async (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}

function pageOf(consoleUrl: string, { owner, name }: Repository, rootName: string, at: RootAt): { page?: string } {
  if (!('deploymentId' in at)) return {};
  return { page: deploymentUrl(consoleUrl, undefined, at.deploymentId, { owner, name, rootName }) };
}
