/**
 * YAML as a plain value that remembers the place of each part.
 *
 * The text may come from a stranger: its size, its depth (by the parser's own limit) and the expansion of its aliases are
 * bounded before anything is built from it.
 */
import { isAlias, isCollection, isMap, isNode, isPair, isScalar, LineCounter, parseAllDocuments } from 'yaml';
import type { Alias, Document, Node, YAMLParseError } from 'yaml';
import { printable, quote, type Path, type Problem } from './problem.ts';

export interface YamlSource {
  readonly value: unknown;
  /** The place of this part, or of the nearest one around it. */
  positionOf(path: Path): Position | undefined;
  /** Of a configuration in several files: the file of a part, and its path there. */
  placeOf?(path: Path): { readonly file?: string; readonly local: Path };
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

/** Characters of all scalars after every alias was replaced: four times those of the largest file without aliases. */
const TEXT_LIMIT = 4 * SIZE_LIMIT;

/** Nobody would read more; one broken bracket can cause hundreds. */
const SYNTAX_PROBLEM_LIMIT = 20;

export interface YamlOptions {
  /** `text` keeps every scalar as it is written, as Go's YAML does for fields that are strings. */
  readonly scalars?: 'typed' | 'text';
  /** Go's YAML reads the first of several documents and ignores the others. */
  readonly furtherDocuments?: 'refused' | 'ignored';
  /** The least that such a file must have, on one line, shown to the author of an empty one. */
  readonly example?: string;
}

export function readYaml(text: string, options: YamlOptions = {}): YamlRead {
  const size = Buffer.byteLength(text);
  if (size > SIZE_LIMIT) return invalid({ path: '', message: tooLarge(size) });

  const lines = new LineCounter();
  const schema = options.scalars === 'text' ? 'failsafe' : 'core';
  const documents = parseAllDocuments(text, { lineCounter: lines, merge: true, schema, prettyErrors: false });
  const [document, further] = 'empty' in documents ? [] : documents;
  if (!document) return invalid(emptyFile(options.example));
  if (document.errors.length > 0) return invalid(...syntaxProblems(document, lines, text));
  if (isEmpty(document)) return invalid(emptyFile(options.example));
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
  // The expansion has been measured, which is more precise than the parser's own limit on aliases.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const positionOf = (path: Path) =>
    positionAt(lines, nearestNode(document.contents, path, expansion.targets)?.range?.[0]);
  return { kind: 'ok', source: { value, positionOf } };
}

type Expansion =
  | { readonly kind: 'ok'; readonly targets: ReadonlyMap<Alias, Node> }
  | { readonly kind: 'invalid'; readonly alias?: Alias; readonly message: string };

/** What a part of the file comes to once its aliases are written out. */
interface Size {
  readonly values: number;
  readonly characters: number;
}

const ONE_VALUE: Size = { values: 1, characters: 0 };

/** Finds the target of each alias, and refuses a file that would grow without bound. */
function expand(contents: Node | null): Expansion {
  const anchors = new Map<string, Node>();
  const sizes = new Map<Node, Size>();
  const targets = new Map<Alias, Node>();
  let circular: Alias | undefined;
  let dangling: Alias | undefined;

  const sizeOf = (item: unknown): Size => {
    if (isPair(item)) return sumOf(sizeOf(item.key), sizeOf(item.value));
    if (isAlias(item)) {
      const target = anchors.get(item.source);
      if (!target) {
        dangling ??= item;
        return ONE_VALUE;
      }
      targets.set(item, target);
      const size = sizes.get(target);
      // The target's size is known once the target has been walked to its end; until then, we are inside it.
      if (size === undefined) circular = item;
      return size ?? ONE_VALUE;
    }
    if (!isNode(item)) return ONE_VALUE;
    if (item.anchor !== undefined) anchors.set(item.anchor, item);
    const size = isCollection(item)
      ? item.items.reduce<Size>((sum, each) => sumOf(sum, sizeOf(each)), ONE_VALUE)
      : { values: 1, characters: isScalar(item) ? String(item.value).length : 0 };
    sizes.set(item, size);
    return size;
  };

  const size = sizeOf(contents);
  if (dangling) {
    const message = `expected an alias of an anchor above it, found ${quote(`*${dangling.source}`)}; put a text that begins with "*" in quotes`;
    return { kind: 'invalid', alias: dangling, message };
  }
  if (circular) {
    const message = 'expected a finite value, found an alias inside itself; write it out';
    return { kind: 'invalid', alias: circular, message };
  }
  if (size.values > NODE_LIMIT) return { kind: 'invalid', message: grown(NODE_LIMIT, 'values', size.values) };
  if (size.characters > TEXT_LIMIT)
    return { kind: 'invalid', message: grown(TEXT_LIMIT, 'characters', size.characters) };
  return { kind: 'ok', targets };
}

function sumOf(a: Size, b: Size): Size {
  return { values: a.values + b.values, characters: a.characters + b.characters };
}

function grown(limit: number, unit: string, found: number): string {
  return `expected at most ${limit} ${unit}, found ${found} once its aliases are written out; split the repository or use autodiscover`;
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

/** One problem for each line: the parser's other messages about the line follow from the first. */
function syntaxProblems(document: Document.Parsed, lines: LineCounter, text: string): Problem[] {
  const firstOfLine = new Map(
    document.errors.toReversed().map((error) => [lines.linePos(error.pos[0]).line, error] as const),
  );
  return [...firstOfLine.values()]
    .toSorted((a, b) => a.pos[0] - b.pos[0])
    .slice(0, SYNTAX_PROBLEM_LIMIT)
    .map((error) => ({ path: '', ...positionAt(lines, error.pos[0]), message: describeSyntax(error, lines, text) }));
}

function describeSyntax(
  error: Pick<YAMLParseError, 'code' | 'message' | 'pos'>,
  lines: LineCounter,
  text: string,
): string {
  const line = lineAt(lines, error.pos[0], text);
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return `expected each key of a mapping once, found one again in ${quote(line)}; remove or rename one of them`;
    case 'TAB_AS_INDENT':
      return 'expected spaces at the beginning of a line, found a tab; put spaces in its place';
    case 'RESOURCE_EXHAUSTION':
      return `expected a few levels of lists and mappings, found ${quote(line)}, which is nested too deeply; close a bracket`;
    default: {
      const found = line === '' ? 'the end of the file' : quote(line);
      return `expected valid YAML, found ${found}, of which the parser says: ${printable(error.message)}; correct this line or the one above it`;
    }
  }
}

/** The line that contains this place, trimmed. */
function lineAt(lines: LineCounter, offset: number, text: string): string {
  const { line } = lines.linePos(offset);
  return text.slice(lines.lineStarts[line - 1], lines.lineStarts[line]).trim();
}

/** A document that has only comments and document markers counts as empty. */
function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

function emptyFile(example: string | undefined): Problem {
  const [expected, it] = example === undefined ? ['a mapping', 'one'] : [`at least ${example}`, 'that'];
  return { path: '', line: 1, column: 1, message: `expected ${expected}, found an empty file; write ${it} into it` };
}

function tooLarge(size: number): string {
  return `expected at most ${SIZE_LIMIT} bytes, found ${size}; use autodiscover instead of listing every root`;
}

function invalid(...problems: readonly Problem[]): YamlRead {
  return { kind: 'invalid', problems };
}
