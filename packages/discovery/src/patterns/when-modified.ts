/**
 * `when_modified`: patterns, relative to a root's directory, of the files whose changes modify the root.
 *
 * They are read in order, and the last one that matches a file decides; `!` excludes files again. `../` leads to other
 * directories, `*` stays within a segment, `**` does not, also beside other characters (`**.tf`, as Atlantis has it), and a
 * pattern that matches a directory matches everything in it.
 *
 * Patterns and paths both come from strangers. Between segments the match is greedy with one place to go back to, and a segment
 * may have only a few wildcards, so no pattern takes more than segments × segments steps.
 */
import { matchesSegments, nameMatcher, type Segment } from '@nereid/config';
import { joinPath, pathBelow } from '../paths.ts';

export type Matcher = (path: string) => boolean;

/** In a segment of at most 255 characters, this many take a few milliseconds at worst. */
const WILDCARDS_LIMIT = 3;

export function createPatternCompiler(): (dir: string, patterns: readonly string[]) => Matcher {
  const segments = new Map<string, Matcher>();

  return (dir, patterns) => {
    const compiled = patterns.map((pattern) => compile(dir, pattern.trim(), segments));
    return (path) => compiled.findLast(({ matches }) => matches(path))?.includes ?? false;
  };
}

interface CompiledPattern {
  readonly includes: boolean;
  readonly matches: Matcher;
}

function compile(dir: string, pattern: string, known: Map<string, Matcher>): CompiledPattern {
  const includes = !pattern.startsWith('!');
  const parts = upToTornGroup((includes ? pattern : pattern.slice(1)).split('/')).filter(
    (part) => part !== '' && part !== '.',
  );
  const plain = parts.findIndex(isGlob);
  const literal = plain === -1 ? parts : parts.slice(0, plain);
  // The part without wildcards narrows the files down by a comparison of texts.
  const base = joinPath(dir, literal.join('/'));
  if (base === undefined) return { includes, matches: () => false };
  const ways = plain === -1 ? [[]] : waysOf(parts.slice(plain));
  const compiled = ways.map((way) => withContents(way.map((part) => segmentOf(part, known))));
  return {
    includes,
    matches: (path) => {
      const below = path === base ? '' : pathBelow(base, path);
      if (below === undefined) return false;
      const segments = below === '' ? [] : below.split('/');
      return compiled.some((rest) => matchesSegments(rest, segments));
    },
  };
}

/** More of them in one pattern match everything from there on: one plan too many rather than one too few. */
const INNER_STARS_LIMIT = 3;

/** `a**b` stands for names in one segment, `a*b`, and for everything between two, `a*` and `*b`. */
function waysOf(parts: readonly string[]): readonly (readonly string[])[] {
  let ways: readonly (readonly string[])[] = [[]];
  let found = 0;
  for (const part of parts) {
    const halves = part === '**' ? undefined : /^(.*?)\*{2,}(.*)$/s.exec(part);
    if (!halves) {
      ways = ways.map((way) => [...way, part]);
      continue;
    }
    found += 1;
    const [, before = '', after = ''] = halves;
    if (found > INNER_STARS_LIMIT || after.includes('**')) return ways.map((way) => [...way, `${before}*`]);
    ways = ways.flatMap((way) => [
      [...way, `${before}*${after}`],
      [...way, ...(before === '' ? [] : [`${before}*`]), '**', `*${after}`],
    ]);
  }
  return ways;
}

/** A group that spans segments, `{a/b,c}`, is not expanded: the pattern matches everything where the group begins. */
function upToTornGroup(parts: readonly string[]): readonly string[] {
  const torn = parts.findIndex((part) => count(part, '{') !== count(part, '}'));
  return torn === -1 ? parts : [...parts.slice(0, torn), '**'];
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

function segmentOf(part: string, known: Map<string, Matcher>): Segment {
  if (part === '**') return part;
  const matcher = known.get(part) ?? segmentMatcher(part);
  known.set(part, matcher);
  return matcher;
}

/** A segment with too many wildcards matches every name: one plan too many rather than one too few. */
function segmentMatcher(part: string): Matcher {
  const wildcards = part.match(/[*?+{[(]/g)?.length ?? 0;
  if (wildcards > WILDCARDS_LIMIT) return () => true;
  return nameMatcher(part);
}

/** What matches a directory matches everything in it; a `**` at the end stands for the contents of one, and so for at least one name. */
function withContents(parts: readonly Segment[]): readonly Segment[] {
  return parts.at(-1) === '**' ? [...parts.slice(0, -1), () => true, '**'] : [...parts, '**'];
}

function isGlob(part: string): boolean {
  return /[*?{}[\]()]/.test(part);
}
