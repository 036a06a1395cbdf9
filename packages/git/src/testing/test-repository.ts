/** A bare repository to which tests commit without a working tree, through `git fast-import`. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface TestRepository {
  readonly dir: string;
  /** Commits onto the branch and moves it. Returns the commit's id. */
  commit(commit: TestCommit): Promise<string>;
  /** Points a branch anywhere, as a forced push does; undefined deletes it. */
  setBranch(branch: string, sha: string | undefined): Promise<void>;
  git(...args: readonly string[]): Promise<string>;
}

export interface TestCommit {
  readonly files: TestFiles;
  /** Default `main`. */
  readonly branch?: string;
  /** Default: what the branch points at; null: none, a root commit. */
  readonly parent?: string | null;
  readonly mergeOf?: string;
  readonly message?: string;
  readonly author?: string;
}

/** A text is a file, a submodule the id of its commit; null deletes what is there, a directory too. */
export type TestFiles = Readonly<
  Record<string, string | { readonly link: string } | { readonly submodule: string } | null>
>;

export function openTestRepository(dir: string): TestRepository {
  const git = async (...args: readonly string[]) => (await runTestGit(dir, args)).trim();
  /** Empty where there is no such branch. Most heads are files of their own, which take no process to read. */
  const headOf = async (branch: string) => {
    const head = await readFile(join(dir, 'refs/heads', branch), 'utf8').catch(() => undefined);
    return head?.trim() ?? git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  };
  return {
    dir,
    git,
    async commit({ files, branch = 'main', parent, mergeOf, message = 'a change', author = 'Ada' }) {
      const head = await headOf(branch);
      const from = parent === undefined ? head : (parent ?? '');
      const stream = [
        ...(from === '' && head !== '' ? [`reset refs/heads/${branch}`, ''] : []),
        `commit refs/heads/${branch}`,
        'mark :1',
        `committer ${author} <ada@example.com> 1700000000 +0000`,
        ...dataOf(message),
        ...(from === '' ? [] : [`from ${from}`]),
        ...(mergeOf === undefined ? [] : [`merge ${mergeOf}`]),
        ...Object.entries(files).flatMap(([path, content]) => changeOf(path, content)),
        '',
        'get-mark :1',
        '',
      ];
      return (await runTestGit(dir, ['fast-import', '--quiet', '--force'], stream.join('\n'))).trim();
    },
    async setBranch(branch, sha) {
      const ref = `refs/heads/${branch}`;
      await git('update-ref', ...(sha === undefined ? ['-d', ref] : [ref, sha]));
    },
  };
}

/** Returns git's output; throws with its error messages. */
export async function runTestGit(cwd: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn('git', args, { cwd, env: TEST_ENVIRONMENT });
  const output: Buffer[] = [];
  const complaint: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => complaint.push(chunk));
  // A command that reads nothing may have ended already; its exit code says what matters.
  child.stdin.on('error', () => undefined).end(input);
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${Buffer.concat(complaint).toString()}`);
  return Buffer.concat(output).toString();
}

const TEST_ENVIRONMENT = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

function changeOf(path: string, content: TestFiles[string]): readonly string[] {
  if (content === null) return [`D ${quoted(path)}`];
  if (typeof content === 'string') return [`M 100644 inline ${quoted(path)}`, ...dataOf(content)];
  if ('submodule' in content) return [`M 160000 ${content.submodule} ${quoted(path)}`];
  return [`M 120000 inline ${quoted(path)}`, ...dataOf(content.link)];
}

function dataOf(text: string): readonly string[] {
  return [`data ${Buffer.byteLength(text)}`, text];
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
