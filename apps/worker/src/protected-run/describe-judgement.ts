/** What people read on a run that waits for roots. Names of roots come from a repository. */
import type { ProtectionRule } from '@nereid/config';
import { shortSha } from '@nereid/domain/deployment';
import { code, cutToLimit, link, person, quietly, RUN_COMMENT_LIMIT } from '@nereid/forge';
import type { RootAt } from './root-at.ts';

/** Our word on a run. */
export interface Judgement {
  readonly state: 'approved' | 'rejected' | 'waiting';
  /** Markdown that the forge takes. */
  readonly comment: string;
  /** People are told again when it changes: not at each step of a deployment. */
  readonly news: string;
}

/** A root of the rule, with the page of the deployment that it needs somebody for. */
export interface NamedRootAt {
  readonly name: string;
  readonly at: RootAt;
  readonly page?: string;
}

export function rejected(sentence: string): Judgement {
  return { state: 'rejected', comment: sentence, news: sentence };
}

export function uncovered(environment: string): Judgement {
  return rejected(
    `No entry of protection_rules in the server's file is about the environment ${code(environment)} of this repository. Add one, or remove Nereid from the rules of the environment.`,
  );
}

/** Somebody has mistyped the rule, or moved the roots: silence would let everything go. */
export function checksNothing(sha: string, { environment, roots }: ProtectionRule): Judgement {
  const which = roots.length === 0 ? 'no root' : 'no root that matches it';
  return rejected(
    listed(
      `An entry of protection_rules about the environment ${code(environment)} checks nothing: ${shortSha(sha)} has ${which}. Correct the entry in the server's file, and run this again.`,
      roots.map((glob) => code(glob)),
    ),
  );
}

export function notDeployed(sha: string, branch: string): Judgement {
  return rejected(
    `${shortSha(sha)} is not on ${code(branch)}, so it is never applied. Merge it, and run this for the merged commit.`,
  );
}

export function unreadable(sha: string, file: string): Judgement {
  return rejected(
    `${code(file)} of ${shortSha(sha)} has problems, which its check run lists: nobody knows which roots it has. Merge a fix, and run this for that commit.`,
  );
}

export const WAITED_TOO_LONG = rejected('This waited for 30 days, which is as long as GitHub lets a job wait.');

export const TOO_MANY = rejected(
  'Too many runs of this repository wait already. See what their roots wait for, and run this again.',
);

/** Whether all roots have the commit, and if not, what has to happen. `unmatched`: globs of the rules that match none of them. */
export function judge(sha: string, roots: readonly NamedRootAt[], unmatched: readonly string[] = []): Judgement {
  const of = (kind: RootAt['kind']) => roots.filter(({ at }) => at.kind === kind);
  const [refused, failed, waiting] = [of('rejected'), of('failed'), of('waiting')];
  if (refused.length > 0)
    return rejected(
      listed(
        `${shortSha(sha)} is not applied. Merge another change, and run this for that commit.`,
        refused.map(lineOf),
      ),
    );
  if (failed.length + waiting.length === 0) return approved(sha, of('applied'), unmatched);
  const advice = failed.length === 0 ? '' : ' Somebody has to run the failed ones again, or merge a fix.';
  return {
    state: 'waiting',
    comment: listed(`Waits until these roots have ${shortSha(sha)}.${advice}`, [...failed, ...waiting].map(lineOf)),
    news: ['waiting', ...failed.map(({ name }) => name)].join(' '),
  };
}

function approved(sha: string, applied: readonly NamedRootAt[], unmatched: readonly string[]): Judgement {
  const lead =
    applied.length === 0
      ? `Nothing to wait for: ${shortSha(sha)} leaves all roots of the rule as they are deployed.`
      : `These roots have ${shortSha(sha)}, which leaves all others of the rule as they are deployed.`;
  const idle = unmatched.map((glob) => `no root matches ${code(glob)}`);
  return { state: 'approved', comment: listed(lead, [...idle, ...applied.map(lineOf)]), news: 'approved' };
}

/** What is left out would make it too long. */
function listed(lead: string, lines: readonly string[]): string {
  const text = lines.length === 0 ? lead : [lead, '', ...lines.map((line) => `- ${line}`)].join('\n');
  return cutToLimit(text, 'More is not listed.', RUN_COMMENT_LIMIT);
}

function lineOf({ name, at, page }: NamedRootAt): string {
  const shown = code(name);
  const linked = (text: string) => (page === undefined ? text : link(text, page));
  switch (at.kind) {
    case 'applied':
    case 'unchanged':
      return shown;
    case 'waiting':
      return `${shown}, ${quietly(at.clause)}`;
    case 'failed':
      return `${shown} ${linked(at.end)}`;
    case 'rejected':
      return `${shown}: ${linked('rejected')} by ${person(at.by)}`;
  }
}
