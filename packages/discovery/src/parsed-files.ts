/** Facts of files that were read before, by the ids of their blobs: the same content is read only once for all revisions. */
import type { FileContent, RevisionTree, TreeFile } from '@nereid/git';
import { LRUCache } from 'lru-cache';
import { NO_FACTS, type TerraformFacts } from './terraform-facts.ts';
import { readTerraformHcl } from './terraform-hcl.ts';
import { readTerraformJson } from './terraform-json.ts';

export interface ParsedFiles {
  readonly facts: LRUCache<string, TerraformFacts>;
  /** Targets of symbolic links. */
  readonly targets: LRUCache<string, string>;
}

/** The files of twenty repositories of 10,000 files each; an entry takes about 200 bytes. */
const FILES_LIMIT = 200_000;

/** Keep one for the life of a process and give it to every discovery, so that later discoveries are fast. */
export function createParsedFiles(): ParsedFiles {
  return { facts: filesCache(), targets: filesCache() };
}

/** Bounded by size, not by `max`, for which the library reserves memory at once. */
function filesCache<T extends object | string>(): LRUCache<string, T> {
  return new LRUCache({ maxSize: FILES_LIMIT, sizeCalculation: () => 1 });
}

export interface Parsed<T> {
  /** By path. */
  readonly values: ReadonlyMap<string, T>;
  /** Files that were too large to be read. */
  readonly unread: readonly string[];
}

export async function parseTerraform(
  tree: RevisionTree,
  files: readonly TreeFile[],
  { facts }: ParsedFiles,
): Promise<Parsed<TerraformFacts>> {
  return parseFiles(tree, files, facts, (text, path) =>
    text === undefined ? NO_FACTS : path.endsWith('.json') ? readTerraformJson(text) : readTerraformHcl(text),
  );
}

export async function readTargets(
  tree: RevisionTree,
  links: readonly TreeFile[],
  { targets }: ParsedFiles,
): Promise<ReadonlyMap<string, string>> {
  const { values } = await parseFiles(tree, links, targets, (text) => text ?? '/');
  return values;
}

async function parseFiles<T extends object | string>(
  tree: RevisionTree,
  files: readonly TreeFile[],
  cache: LRUCache<string, T>,
  parse: (text: string | undefined, path: string) => T,
): Promise<Parsed<T>> {
  const values = new Map<string, T>();
  const unread: string[] = [];
  const unknown = files.filter(({ path, blob }) => {
    const value = cache.get(keyOf(path, blob));
    if (value === undefined) return true;
    values.set(path, value);
    return false;
  });
  if (unknown.length === 0) return { values, unread };

  const contents = await tree.readFiles(unknown.map(({ path }) => path));
  for (const { path, blob } of unknown) {
    const text = textOf(contents.get(path));
    const value = parse(text, path);
    values.set(path, value);
    // Not cached, so that a file that was not read is reported each time.
    if (text === undefined) unread.push(path);
    else cache.set(keyOf(path, blob), value);
  }
  return { values, unread };
}

/** The same content means something else in another language. */
function keyOf(path: string, blob: string): string {
  return path.endsWith('.json') ? `${blob}.json` : blob;
}

function textOf(content: FileContent | undefined): string | undefined {
  return content?.kind === 'text' ? content.text : undefined;
}
