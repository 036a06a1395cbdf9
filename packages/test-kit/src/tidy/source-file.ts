/** A text file of the repository: its path from the top, with slashes, and its content. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Looks at all files at once and returns a sentence for each that breaks the rule, so that one run shows everything. */
export type Rule = (files: readonly SourceFile[]) => readonly string[];

/** Code that ships: neither tests nor code that only tests and developers run. */
export function isProduct({ path }: SourceFile): boolean {
  return isTypeScript({ path }) && !isForTests({ path }) && !/^packages\/(github-stand-in|test-kit)\//.test(path);
}

export function isTypeScript({ path }: Pick<SourceFile, 'path'>): boolean {
  return path.endsWith('.ts');
}

export function isForTests({ path }: Pick<SourceFile, 'path'>): boolean {
  return /\.(test|fixture)\.ts$|\/testing(\/|\.ts$)/.test(path) || isFixture({ path });
}

/** Captured from others, recorded, rendered, or broken on purpose: its name and content are not ours to choose. */
export function isFixture({ path }: Pick<SourceFile, 'path'>): boolean {
  return /(^|\/)(fixtures|golden|histories)\//.test(path);
}
