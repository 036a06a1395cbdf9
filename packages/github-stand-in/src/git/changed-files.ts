import { runGit } from './run-git.ts';

export interface ChangedFile {
  readonly path: string;
  readonly previousPath: string | undefined;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed';
  /** The blob's SHA after the change, before it for a removed file. */
  readonly blob: string;
  readonly additions: number;
  readonly deletions: number;
  /** The hunks of the unified diff; undefined for binary files and for those too large to show. */
  readonly patch: string | undefined;
}

/** GitHub leaves the patch of a large file out of its answers. */
const PATCH_LIMIT = 100_000;

/** The files that differ between two trees, renames found, in git's order. */
export async function readChangedFiles(directory: string, base: string, head: string): Promise<ChangedFile[]> {
  const range = ['--find-renames', '--no-ext-diff', '--no-color', base, head, '--'];
  const [raw, numbers, patches] = await Promise.all([
    runGit(directory, ['diff', '--raw', '--no-abbrev', '-z', ...range]),
    runGit(directory, ['diff', '--numstat', '-z', ...range]),
    runGit(directory, ['diff', '--patch', ...range]),
  ]);
  const counts = parseNumbers(numbers.stdout.toString());
  const hunks = splitPatches(patches.stdout.toString());
  return parseRaw(raw.stdout.toString()).map((file, index) => ({
    ...file,
    additions: counts[index]?.additions ?? 0,
    deletions: counts[index]?.deletions ?? 0,
    patch: hunks[index],
  }));
}

export interface ChangedPaths {
  readonly added: string[];
  readonly removed: string[];
  readonly modified: string[];
}

/** The paths that each of these commits changed against its first parent, as a push webhook lists them. */
export async function readChangedPaths(directory: string, shas: readonly string[]): Promise<Map<string, ChangedPaths>> {
  const args = ['diff-tree', '--stdin', '-z', '-r', '--root', '--no-renames', '--name-status'];
  const merges = '--diff-merges=first-parent';
  const { stdout } = await runGit(directory, [...args, merges], { input: shas.map((sha) => `${sha}\n`).join('') });
  const changed = new Map<string, ChangedPaths>(shas.map((sha) => [sha, { added: [], removed: [], modified: [] }]));
  let current: ChangedPaths | undefined;
  const tokens = stdout.toString().split('\0');
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? '';
    if (/^[0-9a-f]{40}\n?$/.test(token)) current = changed.get(token.trim());
    else if (token !== '') (current?.[listOf(token)] ?? []).push(tokens[++index] ?? '');
  }
  return changed;
}

function listOf(status: string): keyof ChangedPaths {
  if (status.startsWith('A')) return 'added';
  return status.startsWith('D') ? 'removed' : 'modified';
}

/** `:100644 100644 <blob> <blob> M\0path\0`, or two paths for a rename. */
function parseRaw(text: string): Pick<ChangedFile, 'path' | 'previousPath' | 'status' | 'blob'>[] {
  const tokens = text.split('\0');
  const files: Pick<ChangedFile, 'path' | 'previousPath' | 'status' | 'blob'>[] = [];
  for (let index = 0; index + 1 < tokens.length;) {
    const [, , before = '', after = '', letter = ''] = (tokens[index] ?? '').split(' ');
    const first = tokens[index + 1] ?? '';
    const renamed = letter.startsWith('R');
    files.push({
      path: renamed ? (tokens[index + 2] ?? '') : first,
      previousPath: renamed ? first : undefined,
      status: renamed ? 'renamed' : (({ A: 'added', D: 'removed' } as const)[letter] ?? 'modified'),
      blob: letter === 'D' ? before : after,
    });
    index += renamed ? 3 : 2;
  }
  return files;
}

/** `1\t2\tpath\0`, or `1\t2\t\0old\0new\0` for a rename; `-` counts of binary files are 0. */
function parseNumbers(text: string): { additions: number; deletions: number }[] {
  return [...text.matchAll(/(?:^|\0)(?<additions>\d+|-)\t(?<deletions>\d+|-)\t/g)].map(({ groups }) => ({
    additions: Number(groups?.['additions']) || 0,
    deletions: Number(groups?.['deletions']) || 0,
  }));
}

/** The hunks per file. A change of a file's type is shown by git as a removal and an addition: two headers, one file. */
function splitPatches(text: string): (string | undefined)[] {
  const patches: (string | undefined)[] = [];
  let previousHeader = '';
  for (const part of text.split(/^(?=diff --git )/m).filter((each) => each !== '')) {
    const header = part.slice(0, part.indexOf('\n'));
    const start = part.search(/^@@ /m);
    const hunks = start === -1 || part.length > PATCH_LIMIT ? undefined : part.slice(start).trimEnd();
    if (header === previousHeader) patches[patches.length - 1] = hunks;
    else patches.push(hunks);
    previousHeader = header;
  }
  return patches;
}
