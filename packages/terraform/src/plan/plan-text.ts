/**
 * Puts Terraform's own text of a plan in the order in which people have to read it, in bounded memory: resources that are
 * destroyed or replaced come first, then those that are forgotten, changed and created. What has no room is counted.
 *
 * Terraform and OpenTofu begin each resource with `  # <address> will be …`, then comes a line with its sign, and a `}` below the
 * `resource` ends it. All values stand further to the right, so none of them can look like the begin or the end of a resource.
 */
import type { PlanText } from '@nereid/domain/plan';

export interface PlanTextReader {
  /** Takes the text in pieces. */
  read(text: string): void;
  end(): PlanText;
}

/** The limit that `PlanText` promises. GitHub shows 65,535 characters; the rest is for the fence and a sentence. */
const TEXT_BYTES = 60_000;

/** In characters. A longer line is a value that nobody reads on GitHub; without this limit it would push out all others. */
const LINE_LENGTH = 1_000;

/** For one resource, and for all outputs together: three of the largest have room. */
const PART_BYTES = 16_000;

/** In the order of the text. */
const RANKS = ['destroy', 'forget', 'update', 'create', 'other', 'note', 'outputs', 'drift'] as const;
type Rank = (typeof RANKS)[number];

/** The signs before `resource` and `data`; a resource without one is only moved or imported. */
const SIGN = /^ {0,2}(?<sign>-\/\+|\+\/-|[-~+.])? {1,4}\w+ "/;
const RANK_OF_SIGN: Readonly<Record<string, Rank>> = {
  '-': 'destroy',
  '-/+': 'destroy',
  '+/-': 'destroy',
  '.': 'forget',
  '~': 'update',
  '+': 'create',
};

const HEADER = /^ {1,2}# /;
const END_OF_RESOURCE = /^ {4}\}/;

/** Paragraphs that introduce the others, and say the same in each plan. */
const FRAME =
  /^(?:(?:Terraform|OpenTofu) (?:used the selected|will perform the|planned the|detected the)|Unless you have made|\u2500)/;
const DRIFT = 'Note: Objects have changed outside of ';
const OUTPUTS = 'Changes to Outputs:';

interface Part {
  /** Undefined until the line with the sign of a resource; `frame` is dropped. */
  rank: Rank | 'frame' | undefined;
  readonly isResource: boolean;
  /** It has no more than the lines that introduce a resource, of which there may be several. */
  isHeaderOnly: boolean;
  readonly lines: string[];
  bytes: number;
  linesOver: number;
}

export function createPlanText(): PlanTextReader {
  const kept = createKept();
  let part: Part | undefined;
  let isDrift = false;

  function finish(): void {
    if (part) kept.add(part);
    part = undefined;
  }

  function begin(line: string): void {
    finish();
    const isResource = HEADER.test(line);
    const rank = isResource ? (isDrift ? 'drift' : undefined) : rankOfParagraph(line);
    if (rank === 'drift') isDrift = true;
    if (rank === 'frame' && !line.includes('detected')) isDrift = false;
    part = { rank, isResource, isHeaderOnly: isResource, lines: [], bytes: 0, linesOver: 0 };
  }

  function readLine(line: string, isCut: boolean): void {
    if (isBegin(part, line)) begin(line);
    if (part === undefined) return;
    if (part.isResource && !HEADER.test(line)) {
      part.isHeaderOnly = false;
      part.rank ??= rankOfResource(line);
    }
    if (line === '' && !part.isResource && part.rank !== 'outputs') {
      finish();
      return;
    }
    if (isCut && part.rank !== 'frame') kept.shorten();
    addLine(part, line);
    if (part.isResource && END_OF_RESOURCE.test(line)) finish();
  }

  const lines = createLines(readLine);
  return {
    read: (text) => lines.read(text),
    end() {
      lines.end();
      finish();
      return kept.planText();
    },
  };
}

function isBegin(part: Part | undefined, line: string): boolean {
  if (HEADER.test(line)) return part?.isHeaderOnly !== true;
  if (part === undefined) return line !== '';
  // A paragraph goes on until its empty line; resources and outputs are indented.
  return (part.isResource || part.rank === 'outputs') && /^[^\s+~.-]/.test(line);
}

function rankOfParagraph(line: string): Rank | 'frame' {
  if (FRAME.test(line)) return 'frame';
  if (line.startsWith(DRIFT)) return 'drift';
  return line.startsWith(OUTPUTS) ? 'outputs' : 'note';
}

function rankOfResource(line: string): Rank {
  return RANK_OF_SIGN[SIGN.exec(line)?.groups?.['sign'] ?? ''] ?? 'other';
}

function addLine(part: Part, line: string): void {
  const bytes = Buffer.byteLength(line) + 1;
  if (part.linesOver > 0 || part.bytes + bytes > PART_BYTES) {
    part.linesOver += 1;
    return;
  }
  part.lines.push(line);
  part.bytes += bytes;
}

/** The parts that could have room in the text; those beyond are counted, so that a plan of any size takes the same memory. */
function createKept() {
  const parts = new Map(
    RANKS.map((rank) => [rank, { texts: [] as { text: string; isResource: boolean }[], bytes: 0 }]),
  );
  let leftOut = 0;
  let isShortened = false;

  function leave(isResource: boolean, rank: Rank): void {
    if (isResource && rank !== 'drift') leftOut += 1;
    else isShortened = true;
  }

  return {
    shorten: () => {
      isShortened = true;
    },
    add({ rank = 'other', isResource, lines, linesOver }: Part): void {
      const ofRank = rank === 'frame' ? undefined : parts.get(rank);
      if (rank === 'frame' || ofRank === undefined) return;
      if (linesOver > 0) isShortened = true;
      const text = [...lines, ...(linesOver > 0 ? [`      … ${linesOver} more lines`] : [])].join('\n').trimEnd();
      const bytes = sizeOf(text);
      if (ofRank.bytes + bytes > TEXT_BYTES) {
        leave(isResource, rank);
        return;
      }
      ofRank.texts.push({ text, isResource });
      ofRank.bytes += bytes;
    },
    planText(): PlanText {
      const texts: string[] = [];
      let room = TEXT_BYTES;
      for (const rank of RANKS) {
        for (const { text, isResource } of parts.get(rank)?.texts ?? []) {
          if (sizeOf(text) > room) leave(isResource, rank);
          else {
            texts.push(text);
            room -= sizeOf(text);
          }
        }
      }
      return { text: texts.join('\n\n'), leftOut, isShortened };
    },
  };
}

/** With the empty line that separates it from the next. */
function sizeOf(text: string): number {
  return Buffer.byteLength(text) + 2;
}

/** Splits text into visible lines. Keeps the begin of a line that is too long, and says how much it lacks. */
function createLines(onLine: (line: string, isCut: boolean) => void) {
  let begun = '';
  let over = 0;

  function append(text: string): void {
    const room = LINE_LENGTH - begun.length;
    begun += text.slice(0, room);
    over += Math.max(0, text.length - room);
  }

  function flush(): void {
    const line = visible(begun).trimEnd();
    const shown = line.slice(0, LINE_LENGTH).toWellFormed();
    const more = over + line.length - shown.length;
    onLine(more > 0 ? `${shown}… (${more} more characters)` : shown, more > 0);
    [begun, over] = ['', 0];
  }

  return {
    read(text: string): void {
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        append(text.slice(from, end));
        flush();
        from = end + 1;
      }
      append(text.slice(from));
    },
    end(): void {
      if (begun !== '') flush();
    },
  };
}

/** Characters that nobody sees, or that reorder a line, are written as escapes: they may be the very difference. */
function visible(line: string): string {
  return line
    .replaceAll('\t', '  ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      character === '\r' ? String.raw`\r` : `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`,
    );
}
