/**
 * The files that `nereid.yaml` includes: they declare roots, and nothing else. All are of the same revision, and are read as one
 * file, whose parts know where they stand.
 */
import { z } from 'zod';
import type { Place, Problem } from '../yaml/problem.ts';
import { problemAt } from '../yaml/report.ts';
import { advised, object, parseWith } from '../yaml/schema.ts';
import { isMapping, partOf } from '../yaml/sound.ts';
import { readYaml, type YamlSource } from '../yaml/yaml-source.ts';
import { createPathMatcher } from './path-pattern.ts';
import { INCLUDE, RepositoryFile } from './repository-schema.ts';

/** One for each team of a large company. */
const INCLUDED_LIMIT = 100;

/** Of all of them: four times the largest file alone. */
const INCLUDED_LIMIT_BYTES = 4 * 1024 * 1024;

export const MAIN_FILE = 'nereid.yaml';

export interface IncludedFile {
  /** From the top of the repository. */
  readonly path: string;
  readonly text: string;
}

/** The patterns of a main file, as far as they are sound. Nothing is reported here. */
export function includesOf(text: string): readonly string[] {
  // Most files include nothing, and reading a large one takes a while.
  if (!text.includes('include')) return [];
  const yaml = readYaml(text);
  if (yaml.kind === 'invalid') return [];
  return patternsIn(yaml.source.value);
}

/** None if one of them is wrong, which is reported with everything else. */
function patternsIn(file: unknown): readonly string[] {
  const read = INCLUDE.safeParse(partOf(file, 'include'));
  return read.success ? read.data : [];
}

/** Whether a path of the repository is included; never the main file itself. */
export function createIsIncluded(patterns: readonly string[]): (path: string) => boolean {
  const matchers = patterns.map(createPathMatcher);
  // Most files of a repository are no YAML, and a look at the end of a name is cheap.
  const isYaml = (path: string) => path.endsWith('.yaml') || path.endsWith('.yml');
  return (path) => {
    if (matchers.length === 0 || !isYaml(path) || path === MAIN_FILE) return false;
    const segments = path.split('/');
    return matchers.some((matches) => matches(segments));
  };
}

/** Why files are too many or too large to be included together. Their number is known before their texts are read. */
export function includedProblem(count: number, texts: readonly string[] = []): string | undefined {
  if (count > INCLUDED_LIMIT)
    return `expected at most ${INCLUDED_LIMIT} included files, found ${count}; put more roots into each`;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return bytes > INCLUDED_LIMIT_BYTES
    ? `expected included files of at most ${INCLUDED_LIMIT_BYTES} bytes in all, found ${bytes}; make them smaller`
    : undefined;
}

export interface Merged {
  /** One file with the roots of all that can be read. */
  readonly source: YamlSource;
  /** Those of the included files by themselves: roots may be hidden by them. */
  readonly problems: readonly Problem[];
}

/** `unread` are paths of further files that match, whose problems the caller knows. */
export function mergeIncluded(
  main: YamlSource,
  files: readonly IncludedFile[],
  unread: readonly string[] = [],
): Merged {
  const problems = unmatchedIn(main, [...files.map(({ path }) => path), ...unread]);
  const sources = files.map(({ path, text }) => {
    const yaml = readYaml(text, { example: 'version: 1' });
    const read = yaml.kind === 'ok' ? { ...yaml, problems: problemsOf(yaml.source) } : yaml;
    problems.push(...read.problems.map((problem) => ({ ...problem, file: path })));
    return { path, source: read.kind === 'ok' ? read.source : undefined };
  });
  const included = sources.flatMap(({ path, source }) =>
    source ? [{ file: path, source, roots: rootsIn(source) }] : [],
  );
  return { source: sourceOf([{ file: MAIN_FILE, source: main, roots: rootsIn(main) }, ...included]), problems };
}

/** A pattern that matches nothing would take all its roots away without a word. */
function unmatchedIn(main: YamlSource, paths: readonly string[]): Problem[] {
  return patternsIn(main.value).flatMap((pattern, index) => {
    const isIncluded = createIsIncluded([pattern]);
    if (paths.some(isIncluded)) return [];
    const message = `expected files of this revision that match ${JSON.stringify(pattern)}, found none; correct it, or add the file`;
    return [{ ...problemAt(main, ['include', index], message), file: MAIN_FILE }];
  });
}

const Included = object({
  ...RepositoryFile.shape,
  // Their own mistakes are found where all files are judged as one.
  roots: z.unknown().optional(),
  include: z.never(advised('no include in an included file', `name its files in ${MAIN_FILE}`)).optional(),
  autodiscover: z.never(advised('no autodiscover in an included file', `move it to ${MAIN_FILE}`)).optional(),
});

function problemsOf(source: YamlSource): readonly Problem[] {
  const read = parseWith(Included, source);
  const roots = partOf(source.value, 'roots');
  const isList = roots === undefined || Array.isArray(roots);
  return [
    ...(read.kind === 'invalid' ? read.problems : []),
    ...(isList
      ? []
      : [problemAt(source, ['roots'], 'expected a list of roots, found something else; write it as in nereid.yaml')]),
  ];
}

function rootsIn(source: YamlSource): readonly unknown[] | undefined {
  const roots = partOf(source.value, 'roots');
  return Array.isArray(roots) ? (roots as readonly unknown[]) : undefined;
}

interface Part {
  readonly file: string;
  readonly source: YamlSource;
  /** Undefined where the file has none, or something else in their place. */
  readonly roots: readonly unknown[] | undefined;
}

function sourceOf(parts: readonly Part[]): YamlSource {
  const [main] = parts;
  const { value } = main?.source ?? {};
  // Where the main file has something other than a list of roots, that is reported first.
  const hasList = partOf(value, 'roots') === undefined || main?.roots !== undefined;
  const roots = parts.flatMap((part) => part.roots ?? []);
  return {
    value: isMapping(value) && hasList ? { ...value, roots } : value,
    positionOf: (path) => {
      const { part, local } = partAt(parts, path);
      return part?.source.positionOf(local);
    },
    placeOf: (path): Pick<Place, 'file'> & { readonly local: typeof path } => {
      const { part, local } = partAt(parts, path);
      return { local, ...(part && { file: part.file }) };
    },
  };
}

/** The file in which a part of the whole stands, and its path there. */
function partAt(parts: readonly Part[], path: Parameters<YamlSource['positionOf']>[0]) {
  const [key, index, ...rest] = path;
  let before = 0;
  if (key === 'roots' && typeof index === 'number')
    for (const part of parts) {
      const count = part.roots?.length ?? 0;
      if (index < before + count) return { part, local: [key, index - before, ...rest] };
      before += count;
    }
  return { part: parts[0], local: path };
}
