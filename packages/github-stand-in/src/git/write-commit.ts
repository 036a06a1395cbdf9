import { runGit } from './run-git.ts';

/** Text of a file, `null` to delete it, or a symbolic link. Keys are paths inside the repository. */
export type FileChanges = Readonly<Record<string, string | null | { readonly symlink: string }>>;

interface NewCommit {
  /** Like `refs/heads/main`. */
  readonly ref: string;
  /** The parent; undefined for the first commit of a repository. */
  readonly parent: string | undefined;
  readonly files: FileChanges;
  readonly message: string;
  readonly author: Signature;
  /** ISO 8601; now unless given. */
  readonly at?: string;
}

export interface Signature {
  readonly name: string;
  readonly email: string;
}

/**
 * Writes a commit and moves its ref there. Returns its SHA.
 *
 * One `git fast-import` however many files there are: no working tree, no process per file.
 */
export async function writeCommit(directory: string, commit: NewCommit): Promise<string> {
  const format = commit.at === undefined ? 'now' : 'raw';
  const args = ['fast-import', '--quiet', '--done', '--force', `--date-format=${format}`];
  const { stdout } = await runGit(directory, args, { input: stream(commit) });
  return stdout.toString().trim();
}

function stream({ ref, parent, files, message, author, at }: NewCommit): Buffer {
  const when = at === undefined ? 'now' : `${Math.floor(Date.parse(at) / 1_000)} +0000`;
  const signature = `${clean(author.name)} <${clean(author.email)}> ${when}`;
  return Buffer.concat([
    line(`commit ${ref}`),
    line('mark :1'),
    line(`author ${signature}`),
    line(`committer ${signature}`),
    data(message),
    ...(parent === undefined ? [] : [line(`from ${parent}`)]),
    ...Object.entries(files).flatMap(([path, content]) => change(path, content)),
    line(''),
    line('get-mark :1'),
    line('done'),
  ]);
}

function change(path: string, content: FileChanges[string]): Buffer[] {
  if (content === null) return [line(`D ${quote(path)}`)];
  const [mode, text] = typeof content === 'string' ? ['100644', content] : ['120000', content.symlink];
  return [line(`M ${mode} inline ${quote(path)}`), data(text)];
}

function data(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([line(`data ${bytes.length}`), bytes, line('')]);
}

function line(text: string): Buffer {
  return Buffer.from(`${text}\n`);
}

/** A name in a commit must not end its line or its angle brackets. */
function clean(text: string): string {
  return text.replaceAll(/[<>\n\0]/g, '');
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
