/** Facts of files that were read before, by the ids of their blobs: the same content is read only once for all revisions. */
import type { FileContent, TreeFile } from '@nereid/git';
import { LRUCache } from 'lru-cache';
import type { ReadableTree } from './repository-roots.ts';
import { NO_FACTS, type TerraformFacts } from './terraform/terraform-facts.ts';
import { readTerraformHcl } from './terraform/terraform-hcl.ts';
import { readTerraformJson } from './terraform/terraform-json.ts';

export interface ParsedFiles {
  readonly facts: LRUCache<string, TerraformFacts>;
  /** Targets of symbolic links. */
  readonly targets: LRUCache<string, string>;
}

/** In bytes: the facts of a few repositories of 10,000 files each. A stranger's file may have thousands of modules and paths. */
const CACHE_LIMIT = 64 * 1024 * 1024;

/** What an entry takes besides its texts. */
const ENTRY_BYTES = 50;

/** Keep one for the life of a thread and give it to every discovery, so that later discoveries are fast. */
export function createParsedFiles(): ParsedFiles {
  return {
    facts: new LRUCache({ maxSize: CACHE_LIMIT, sizeCalculation: weighFacts }),
    targets: new LRUCache({ maxSize: CACHE_LIMIT, sizeCalculation: (target) => weigh([target]) }),
  };
}

function weighFacts({ state = '', inRepositories = [], ...facts }: TerraformFacts): number {
  const { modules, besideModule, staying, climbing } = facts;
  return [modules, besideModule, staying, climbing, inRepositories, [state]].reduce(
    (sum, texts) => sum + weigh(texts),
    0,
  );
}

function weigh(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + ENTRY_BYTES + length, ENTRY_BYTES);
}

export interface Parsed<T> {
  /** By path. */
  readonly values: ReadonlyMap<string, T>;
  /** Files that were too large to be read. */
  readonly unread: readonly string[];
}

/** A file that is too large may name anything. */
const UNREAD: TerraformFacts = { ...NO_FACTS, opaque: 'more than 1 MiB' };

export async function parseTerraform(
  tree: ReadableTree,
  files: readonly TreeFile[],
  { facts }: ParsedFiles,
): Promise<Parsed<TerraformFacts>> {
  return parseFiles(tree, files, facts, (text, path) =>
    text === undefined ? UNREAD : path.endsWith('.json') ? readTerraformJson(text) : readTerraformHcl(text),
  );
}

export async function readTargets(
  tree: ReadableTree,
  links: readonly TreeFile[],
  { targets }: ParsedFiles,
): Promise<ReadonlyMap<string, string>> {
  const { values } = await parseFiles(tree, links, targets, (text) => text ?? '/');
  return values;
}

async function parseFiles<T extends object | string>(
  tree: ReadableTree,
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

  const contents = await tree.contents([...new Set(unknown.map(({ blob }) => blob))]);
  for (const { path, blob } of unknown) {
    const text = textOf(contents.get(blob));
    const value = parse(text, path);
    values.set(path, value);
    // Not cached, so that a file that was not read is reported each time.
    if (text === undefined) unread.push(path);
    else keep(cache, keyOf(path, blob), value);
  }
  return { values, unread };
}

/** A part of a text keeps the whole text in memory, such as the listing that named a blob. A clone has texts of its own. */
function keep<T extends object | string>(cache: LRUCache<string, T>, key: string, value: T): void {
  const own = structuredClone({ key, value });
  cache.set(own.key, own.value);
}

/** The same content means something else in another language. */
function keyOf(path: string, blob: string): string {
  return path.endsWith('.json') ? `${blob}.json` : blob;
}

function textOf(content: FileContent | undefined): string | undefined {
  return content?.kind === 'text' ? content.text : undefined;
}
