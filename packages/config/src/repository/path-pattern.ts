/**
 * Patterns of whole paths: `*` stays within a segment, `**` does not. Patterns and paths both come from strangers. Each segment is
 * matched by itself, and between them there is one place to go back to, so no match takes more than segments × segments steps.
 */
import picomatch from 'picomatch';

/** The segments of a path. */
export type PathMatcher = (path: readonly string[]) => boolean;

/** The longest name a file can have on Linux. */
const SEGMENT_LIMIT = 255;

/** A pattern has at most two `*` in a segment: its schema sees to that. */
export function createPathMatcher(pattern: string): PathMatcher {
  const segments = pattern.split('/').flatMap(partsOf).map(segmentOf);
  return (path) => matchesSegments(segments, path);
}

/** `**a` stands for everything above, and then `*a`. Elsewhere in a segment, `**` is one star. */
function partsOf(segment: string): readonly string[] {
  if (segment === '**') return [segment];
  return segment.startsWith('**') ? ['**', segment.slice(1)] : [segment.replace('**', '*')];
}

/** Of a pattern: `**` stands for any segments of a path, or none. */
export type Segment = '**' | ((name: string) => boolean);

function segmentOf(part: string): Segment {
  if (part === '**') return part;
  if (!part.includes('*')) return (name) => name === part;
  return nameMatcher(part);
}

/** A pattern of one name. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const isMatch = picomatch(pattern, { dot: true, noextglob: true, nonegate: true });
  return (name) => name.length <= SEGMENT_LIMIT && isMatch(name);
}

export function matchesSegments(pattern: readonly Segment[], path: readonly string[]): boolean {
  let at = 0;
  let here = 0;
  let star = -1;
  let resume = 0;
  for (;;) {
    const segment = pattern[at];
    const name = path[here];
    if (segment === '**') {
      star = at;
      resume = here;
      at += 1;
    } else if (name === undefined) {
      return segment === undefined;
    } else if (segment?.(name) === true) {
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
