/**
 * Puts Terraform's own text of a plan in the order in which people have to read it, in bounded memory: resources that are
 * destroyed or replaced come first, then those that are forgotten, changed and created. What has no room is counted.
 *
 * Terraform and OpenTofu begin each resource with `  # <address> will be …`, then comes a line with its sign, and a `}` below the
 * `resource` ends it. All values stand further to the right, so none of them can look like the begin or the end of a resource.
 */
import { WHOLE_PLAN_TEXT_BYTES, type PlanText } from '@nereid/domain/plan';
import { createLines } from './plan-lines.ts';

export interface PlanTextRoom {
  readonly textBytes: number;
  /** In characters. Without this limit, one value would push out all others. */
  readonly lineLength: number;
  /** For one resource, and for all outputs together. */
  readonly partBytes: number;
}

/** The limit that `PlanText` promises. GitHub shows 65,535 characters; the rest is for the fence and a sentence. */
const FORGE_TEXT_BYTES = 60_000;

/** Nobody reads a longer line on GitHub; three of the largest resources have room. */
export const ROOM_ON_FORGE: PlanTextRoom = { textBytes: FORGE_TEXT_BYTES, lineLength: 1_000, partBytes: 16_000 };

/** Values such as scripts and certificates are whole. */
export const ROOM_ON_PAGES: PlanTextRoom = {
  textBytes: WHOLE_PLAN_TEXT_BYTES,
  lineLength: 20_000,
  partBytes: 256 * 1024,
};

export interface PlanTextReader {
  /** Takes the text in pieces. */
  read(text: string): void;
  end(): PlanText;
}

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
/** OpenTofu does not indent the one of a resource that it forgets. */
const END_OF_RESOURCE = /^(?: {4})?\}/;
/** Behind the end of a resource: the actions that Terraform invokes with its change. */
const OF_RESOURCE = /^ {4}(?:# Actions to be invoked |action ")/;

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
  /** Its `}` was read. */
  hasEnded: boolean;
  readonly lines: string[];
  bytes: number;
  linesOver: number;
}

export function createPlanText(room: PlanTextRoom): PlanTextReader {
  const kept = createKept(room.textBytes);
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
    part = { rank, isResource, isHeaderOnly: isResource, hasEnded: false, lines: [], bytes: 0, linesOver: 0 };
  }

  function readLine(line: string, isCut: boolean): void {
    if (part?.hasEnded && line !== '') {
      if (OF_RESOURCE.test(line)) part.hasEnded = false;
      else finish();
    }
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
    addLine(part, line, room.partBytes);
    if (part.isResource && END_OF_RESOURCE.test(line)) part.hasEnded = true;
  }

  const lines = createLines(room.lineLength, readLine);
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
  return (part.isResource || part.rank === 'outputs') && /^[^\s+~.}-]/.test(line);
}

function rankOfParagraph(line: string): Rank | 'frame' {
  if (FRAME.test(line)) return 'frame';
  if (line.startsWith(DRIFT)) return 'drift';
  return line.startsWith(OUTPUTS) ? 'outputs' : 'note';
}

function rankOfResource(line: string): Rank {
  return RANK_OF_SIGN[SIGN.exec(line)?.groups?.['sign'] ?? ''] ?? 'other';
}

function addLine(part: Part, line: string, limit: number): void {
  const bytes = Buffer.byteLength(line) + 1;
  if (part.linesOver > 0 || part.bytes + bytes > limit) {
    part.linesOver += 1;
    return;
  }
  part.lines.push(line);
  part.bytes += bytes;
}

/** The parts that could have room in the text; those beyond are counted, so that a plan of any size takes the same memory. */
function createKept(textBytes: number) {
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
      if (ofRank.bytes + bytes > textBytes) {
        leave(isResource, rank);
        return;
      }
      ofRank.texts.push({ text, isResource });
      ofRank.bytes += bytes;
    },
    planText(): PlanText {
      const texts: string[] = [];
      let room = textBytes;
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
