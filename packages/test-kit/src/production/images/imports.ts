/** What programs load, read off their sources: nothing is started. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { REPOSITORY } from '../../repository.ts';
import type { Workspace } from './workspaces.ts';

export interface Import {
  /** As it is written: a path, or the name of a package with a path in it. */
  readonly from: string;
  /** `at-once`: when the file is loaded; `later`: by a call; `located`: only its path is asked for. */
  readonly when: 'at-once' | 'later' | 'located';
}

/** The imports of a file, except those of types and of Node's own modules. */
export type ReadImports = (file: string) => Promise<readonly Import[]>;

export interface Loaded {
  /** Paths from the top of the repository. */
  readonly files: ReadonlySet<string>;
  /** The names of packages, those of workspaces among them. */
  readonly packages: ReadonlySet<string>;
}

/** Everything that these files load, and what that loads, as far as it is ours. Imports of types vanish before. */
export async function loadedBy(
  entries: readonly string[],
  workspaces: readonly Workspace[],
  followed: readonly Import['when'][],
  readImports: ReadImports,
): Promise<Loaded> {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const { from, when } of await readImports(file)) {
      if (!followed.includes(when)) continue;
      const name = packageOf(from);
      if (name !== undefined) packages.add(name);
      const target = name === undefined ? path.join(path.dirname(file), from) : exportedAs(from, name, workspaces);
      if (target !== undefined) waiting.push(target);
    }
  }
  return { files, packages };
}

/** Reads each file once: programs load much of the same. */
export function createReadImports(): ReadImports {
  const known = new Map<string, Promise<readonly Import[]>>();
  return (file) => {
    const imports = known.get(file) ?? importsOf(file);
    known.set(file, imports);
    return imports;
  };
}

async function importsOf(file: string): Promise<readonly Import[]> {
  const text = await readFile(path.join(REPOSITORY, file), 'utf8');
  const found: Import[] = [];
  const visit = (node: ts.Node) => {
    found.push(...importsAt(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext));
  return found.filter(({ from }) => !from.startsWith('node:'));
}

/** The name of the package that an import names; undefined for a path. */
export function packageOf(from: string): string | undefined {
  return /^(?:@[^/]+\/)?[^./@][^/]*/.exec(from)?.[0];
}

function importsAt(node: ts.Node): readonly Import[] {
  if (ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
    return textsOf([node.moduleSpecifier], 'at-once');
  if (ts.isExportDeclaration(node) && !node.isTypeOnly && node.moduleSpecifier !== undefined)
    return textsOf([node.moduleSpecifier], 'at-once');
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return textsOf(node.arguments, 'later');
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return [];
  const args = node.arguments ?? [];
  if (isMeta(node.expression, 'resolve')) return textsOf(args, 'located');
  // A file beside this one, which becomes a process or a thread.
  const isBeside = args.some((argument) => isMeta(argument, 'url') || isMeta(argument, 'dirname'));
  return isBeside ? textsOf(args, 'later').flatMap(({ from, when }) => sourcesIn(from, when)) : [];
}

/** Like `import.meta.url`. */
function isMeta(node: ts.Node, name: string): boolean {
  return ts.isPropertyAccessExpression(node) && ts.isMetaProperty(node.expression) && node.name.text === name;
}

function textsOf(nodes: readonly ts.Node[], when: Import['when']): readonly Import[] {
  return nodes.filter(ts.isStringLiteral).map(({ text: from }) => ({ from, when }));
}

function sourcesIn(from: string, when: Import['when']): readonly Import[] {
  return from.endsWith('.ts') ? [{ from: `./${from}`, when }] : [];
}

function exportedAs(from: string, name: string, workspaces: readonly Workspace[]): string | undefined {
  const workspace = workspaces.find((each) => each.name === name);
  if (workspace === undefined) return undefined;
  const target = workspace.exports.get(`.${from.slice(name.length)}`);
  if (target === undefined) throw new Error(`expected ${name} to export ${from}, found no such line in its exports`);
  return path.join(workspace.folder, target);
}
