/**
 * YAML as a plain value that remembers where each part of it stands.
 *
 * The text may come from a stranger: its size, its depth (by the parser's own limit) and what its aliases expand to are
 * bounded before anything is built from it.
 */
import { isAlias, isCollection, isMap, isNode, isPair, LineCounter, parseAllDocuments } from 'yaml';
import type { Alias, Document, Node } from 'yaml';
import type { Path, Problem } from './problem.ts';

export interface YamlSource {
  readonly value: unknown;
  /** The place of this part, or of the nearest one around it. */
  positionOf(path: Path): Position | undefined;
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

export type YamlRead =
  | { readonly kind: 'ok'; readonly source: YamlSource }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** A file of 2,000 roots has a tenth of this. */
const SIZE_LIMIT = 1024 * 1024;

/** Scalars and collections after every alias was replaced: 2,000 roots with every key set have a quarter of this. */
const NODE_LIMIT = 200_000;

/** More would not be read; one broken bracket can cause hundreds. */
const SYNTAX_PROBLEM_LIMIT = 20;

export interface YamlOptions {
  /** `text` keeps every scalar as it is written, as Go's YAML does for fields that are strings. */
  readonly scalars?: 'typed' | 'text';
  /** Go's YAML reads the first of several documents and ignores the others. */
  readonly furtherDocuments?: 'refused' | 'ignored';
}

export function readYaml(text: string, options: YamlOptions = {}): YamlRead {
  const size = Buffer.byteLength(text);
  if (size > SIZE_LIMIT) return invalid({ path: '', message: tooLarge(size) });

  const lines = new LineCounter();
  const schema = options.scalars === 'text' ? 'failsafe' : 'core';
  const documents = parseAllDocuments(text, { lineCounter: lines, merge: true, schema, prettyErrors: false });
  const [document, further] = 'empty' in documents ? [] : documents;
  if (!document)
    return invalid({ path: '', message: 'expected a mapping, found an empty file; see the documentation' });
  if (document.errors.length > 0) return invalid(...syntaxProblems(document, lines));
  if (further && options.furtherDocuments !== 'ignored') {
    const at = positionAt(lines, further.range[0]);
    return invalid({ path: '', ...at, message: 'expected one YAML document, found a second one; remove it' });
  }
  return readDocument(document, lines);
}

function readDocument(document: Document.Parsed, lines: LineCounter): YamlRead {
  const expansion = expand(document.contents);
  if (expansion.kind === 'invalid') {
    const at = positionAt(lines, expansion.alias?.range?.[0]);
    return invalid({ path: '', ...at, message: expansion.message });
  }
  // The expansion has been measured, which is finer than the parser's own count of aliases.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const positionOf = (path: Path) =>
    positionAt(lines, nearestNode(document.contents, path, expansion.targets)?.range?.[0]);
  return { kind: 'ok', source: { value, positionOf } };
}

type Expansion =
  | { readonly kind: 'ok'; readonly targets: ReadonlyMap<Alias, Node> }
  | { readonly kind: 'invalid'; readonly alias?: Alias; readonly message: string };

/** Finds what each alias stands for, and refuses what would grow without bound. */
function expand(contents: Node | null): Expansion {
  const anchors = new Map<string, Node>();
  const sizes = new Map<Node, number>();
  const targets = new Map<Alias, Node>();
  let circular: Alias | undefined;

  const sizeOf = (item: unknown): number => {
    if (isPair(item)) return sizeOf(item.key) + sizeOf(item.value);
    if (isAlias(item)) {
      const target = anchors.get(item.source);
      if (!target) return 1;
      targets.set(item, target);
      const size = sizes.get(target);
      // Its size is known once it has been walked to its end; until then, we are inside it.
      if (size === undefined) circular = item;
      return size ?? 1;
    }
    if (!isNode(item)) return 1;
    if (item.anchor !== undefined) anchors.set(item.anchor, item);
    const size = isCollection(item) ? item.items.reduce<number>((sum, each) => sum + sizeOf(each), 1) : 1;
    sizes.set(item, size);
    return size;
  };

  const size = sizeOf(contents);
  if (circular)
    return {
      kind: 'invalid',
      alias: circular,
      message: 'expected a finite value, found an alias inside itself; write it out',
    };
  if (size > NODE_LIMIT) {
    return {
      kind: 'invalid',
      message: `expected at most ${NODE_LIMIT} values, found ${size} once its aliases are written out; split the repository or use autodiscover`,
    };
  }
  return { kind: 'ok', targets };
}

function nearestNode(contents: Node | null, path: Path, targets: ReadonlyMap<Alias, Node>): Node | undefined {
  let node: Node | undefined = contents ?? undefined;
  let nearest = node;
  for (const key of path) {
    if (isAlias(node)) node = targets.get(node);
    if (!isCollection(node)) return nearest;
    if (isMap(node)) {
      const pair = node.items.find((item) => isNode(item.key) && String(item.key) === String(key));
      if (!pair) return nearest;
      // A value's place is its key's: that is where an editor should put the cursor.
      nearest = isNode(pair.key) ? pair.key : nearest;
      node = isNode(pair.value) ? pair.value : undefined;
    } else {
      const item: unknown = node.items[Number(key)];
      node = isNode(item) ? item : undefined;
      nearest = node ?? nearest;
    }
  }
  return nearest;
}

function positionAt(lines: LineCounter, offset: number | undefined): Position | undefined {
  if (offset === undefined) return undefined;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function syntaxProblems(document: Document.Parsed, lines: LineCounter): Problem[] {
  return document.errors.slice(0, SYNTAX_PROBLEM_LIMIT).map((error) => {
    const why = error.code === 'RESOURCE_EXHAUSTION' ? 'it is nested too deeply' : error.message;
    return { path: '', ...positionAt(lines, error.pos[0]), message: `expected valid YAML: ${why}` };
  });
}

function tooLarge(size: number): string {
  return `expected at most ${SIZE_LIMIT} bytes, found ${size}; use autodiscover instead of listing every root`;
}

function invalid(...problems: readonly Problem[]): YamlRead {
  return { kind: 'invalid', problems };
}
