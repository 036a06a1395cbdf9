/** A stack that plans pull requests, and what its tests do there and wait for. */
import type { CheckRun } from '@nereid/github-stand-in';
import { until } from '../faults/terrain.ts';
import { ensureSample, SAMPLE_NAME } from '../sample/repository.ts';
import type { Stack, StackOptions } from '../stack/stack.ts';
import { startTemporaryStack } from '../stack/testing/temporary-stack.ts';

/** By path; `null` removes the file. */
export type Files = Readonly<Record<string, string | null>>;

export interface Opened {
  readonly number: number;
  readonly sha: string;
  readonly branch: string;
}

export interface Stage extends AsyncDisposable {
  readonly stack: Stack;
  /** Commits the files to a branch of their own, as bob, and opens a pull request from it. */
  open(files: Files, how?: { readonly draft?: boolean }): Promise<Opened>;
  push(branch: string, files: Files): Promise<string>;
  /** The check runs of this name on the commit, the newest first. */
  runsOf(name: string, sha: string): readonly Readonly<CheckRun>[];
  /** The newest check run of this name on the commit, once it is completed. */
  completed(name: string, sha: string): Promise<Readonly<CheckRun>>;
  /** The newest check run of this name on the commit, once it has this title. */
  titled(name: string, sha: string, title: string | RegExp): Promise<Readonly<CheckRun>>;
}

/** A resource that needs no provider of its own. */
export const resource = (name: string) => `resource "terraform_data" "${name}" {}\n`;

export async function startStage(options: Partial<StackOptions> = {}): Promise<Stage> {
  const stack = await startTemporaryStack({ plansPullRequests: true, ...options });
  const { github } = stack;
  await ensureSample(github);
  let opened = 0;

  const push = async (branch: string, files: Files) =>
    github.commit({ repository: SAMPLE_NAME, branch, files, message: branch, author: 'bob' });

  const runsOf = (name: string, sha: string) =>
    github
      .checkRuns(SAMPLE_NAME)
      .filter((run) => run.name === name && run.headSha === sha)
      .toSorted((one, other) => other.id - one.id);

  async function newest(what: string, name: string, sha: string, is: (run: Readonly<CheckRun>) => boolean) {
    const isSo = () => runsOf(name, sha).slice(0, 1).some(is);
    const found = () => JSON.stringify(runsOf(name, sha).map(({ status, output }) => [status, output.title]));
    await until(`${name} on ${sha} to ${what}`, () => Promise.resolve(isSo()), found);
    const [run] = runsOf(name, sha);
    if (run === undefined) throw new Error(`expected ${name} on ${sha}`);
    return run;
  }

  return {
    stack,
    push,
    runsOf,
    async open(files, how = {}) {
      opened += 1;
      const branch = `change-${opened}`;
      const sha = await push(branch, files);
      const request = { repository: SAMPLE_NAME, head: branch, title: `Change ${opened}`, author: 'bob', ...how };
      const { number } = await github.openPullRequest(request);
      return { number, sha, branch };
    },
    completed: async (name, sha) => newest('be completed', name, sha, ({ conclusion }) => conclusion != null),
    titled: async (name, sha, title) => {
      const says = (text: string) => (typeof title === 'string' ? text === title : title.test(text));
      return newest(`say ${String(title)}`, name, sha, ({ output }) => says(output.title ?? ''));
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}
