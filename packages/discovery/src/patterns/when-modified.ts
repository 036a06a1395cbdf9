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
import picomatch from 'picomatch';
import { joinPath, pathBelow } from '../paths.ts';

export type Matcher = (path: string) => boolean;

/** In a segment of at most 255 characters, this many take a few milliseconds at worst. */
const WILDCARDS_LIMIT = 3;

/** The longest name a file can have on Linux. */
const SEGMENT_LIMIT = 255;

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

type Segment = '**' | Matcher;

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
  const compiled = ways.map((way) => way.map((part) => segmentOf(part, known)));
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
  const isMatch = picomatch(part, { dot: true, nonegate: true, noextglob: true });
  return (name) => name.length <= SEGMENT_LIMIT && isMatch(name);
}

/** Whether the pattern matches the path or a directory above it. */
function matchesSegments(pattern: readonly Segment[], path: readonly string[]): boolean {
  let at = 0;
  let here = 0;
  let star = -1;
  let resume = 0;
  for (;;) {
    const segment = pattern[at];
    if (segment === undefined) return true;
    if (segment === '**') {
      // At the end it stands for the contents of a directory, and so for at least one name.
      if (at === pattern.length - 1) return here < path.length;
      star = at;
      resume = here;
      at += 1;
      continue;
    }
    const name = path[here];
    if (name === undefined) return false;
    if (segment(name)) {
      at += 1;
      here += 1;
    } else if (star !== -1) {
      resume += 1;
      here = resume;
      at = star + 1;
    } else {
      return false;
    }
  }
}

function isGlob(part: string): boolean {
  return /[*?{}[\]()]/.test(part);
}
