/** The lines of a plan as rows of a page, in which long values are differences. Pure. */
import { diffArrays, diffWordsWithSpace } from 'diff';
import { diffLines, type DiffMark } from '@nereid/texts';

export interface Row {
  readonly mark: DiffMark;
  /** Without the mark. */
  readonly parts: readonly RowPart[];
  /** It is a line of a value that has several. */
  readonly isOfText: boolean;
  /** Terraform's remark behind a value. */
  readonly tail?: string;
}

export interface RowPart {
  readonly text: string;
  /** In one of two lines that are nearly the same. */
  readonly isChanged?: true;
}

/** How much a page still compares: values come from anywhere, and some would take minutes. */
export interface Effort {
  characters: number;
}

/** Half a second at worst, and more than anybody reads. */
const CHARACTERS = 400_000;

/** Beyond so many differences, two values have nothing to do with each other. */
const DIFFERENCES = { maxEditLength: 200 };

/** For all that one page shows. */
export function createEffort(): Effort {
  return { characters: CHARACTERS };
}

export function rowsOf(lines: readonly string[], effort: Effort): readonly Row[] {
  const rows = diffLines(lines).flatMap(({ mark, line, isOfText }) => {
    const text = line.slice(1);
    return (mark === '!' && !isOfText ? longChange(text, effort) : undefined) ?? [rowOf(mark, text, isOfText)];
  });
  return withChangedWords(rows, effort);
}

/** Lines of one plan (`-`) and of another (`+`). */
export function rowsOfBoth(before: readonly string[], after: readonly string[], effort: Effort): readonly Row[] {
  const rowsWith = (mark: DiffMark, lines: readonly string[]) => lines.map((line) => rowOf(mark, line, true));
  const changes = spend(effort, before.join(''), after.join(''))
    ? diffArrays([...before], [...after], DIFFERENCES)
    : undefined;
  if (changes === undefined) return [...rowsWith('-', before), ...rowsWith('+', after)];
  const rows = changes.flatMap(({ value, added, removed }) => rowsWith(added ? '+' : removed ? '-' : ' ', value));
  return withChangedWords(rows, effort);
}

export function textOf({ tail = '', ...row }: Row): string {
  return valueOf(row) + tail;
}

function valueOf({ parts }: Row): string {
  return parts.map(({ text }) => text).join('');
}

function rowOf(mark: DiffMark, text: string, isOfText = false): Row {
  return { mark, parts: [{ text }], isOfText };
}

function spend(effort: Effort, ...compared: readonly string[]): boolean {
  const characters = compared.reduce((sum, { length }) => sum + length, 0);
  if (characters > effort.characters) return false;
  effort.characters -= characters;
  return true;
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const CHANGE = new RegExp(
  String.raw`^(?<lead>\s*(?:(?:[^\s"]+|${QUOTED}) += )?)(?<before>${QUOTED}) -> (?<after>${QUOTED})(?<tail>.*)$`,
);

/** Two shorter values beside each other are compared at a glance. */
const LONG = 80;

interface Change {
  readonly lead: string;
  /** In quotes. */
  readonly before: string;
  readonly after: string;
  readonly tail: string;
}

/** `name = "…" -> "…"` with long values: each on a line of its own, or piece by piece. */
function longChange(text: string, effort: Effort): readonly Row[] | undefined {
  if (text.length <= LONG) return undefined;
  const { lead = '', before = '', after = '', tail = '' } = CHANGE.exec(text)?.groups ?? {};
  if (before === '') return undefined;
  const change = { lead, before, after, tail };
  return pieceByPiece(change, effort) ?? [rowOf('-', lead + before, true), { ...rowOf('+', lead + after, true), tail }];
}

/** Where a list or a script on one line has a next part. */
const NEXT_PIECE = /(?<=[,;&|] ?|\\n)(?=[^\s,;&|])/;
/** Of fewer pieces, both values are read as a whole. */
const LEAST_PIECES = 5;

function pieceByPiece({ lead, before, after, tail }: Change, effort: Effort): readonly Row[] | undefined {
  const old = before.slice(1, -1).split(NEXT_PIECE);
  const next = after.slice(1, -1).split(NEXT_PIECE);
  if (Math.max(old.length, next.length) < LEAST_PIECES || !spend(effort, before, after)) return undefined;
  const changes = diffArrays(old, next, DIFFERENCES);
  if (changes === undefined || changes.every(({ added, removed }) => added || removed)) return undefined;
  const indent = ' '.repeat(lead.length - lead.trimStart().length);
  return [
    rowOf('!', `${lead}"`),
    ...changes.flatMap(({ value, added, removed }) =>
      value.map((piece) => rowOf(added ? '+' : removed ? '-' : ' ', `${indent}    ${piece}`, true)),
    ),
    rowOf(' ', `${indent}"${tail}`),
  ];
}

/** Lines that go, followed by others that come, are compared one by one. */
function withChangedWords(rows: readonly Row[], effort: Effort): readonly Row[] {
  const compared = [...rows];
  for (let at = 0; at < rows.length; at += 1) {
    const gone = countFrom(rows, at, '-');
    const come = countFrom(rows, at + gone, '+');
    for (let index = at; index < at + Math.min(gone, come); index += 1) {
      const [before, after] = [rows[index], rows[index + gone]];
      const pair = before && after && comparedWords(before, after, effort);
      if (pair) [compared[index], compared[index + gone]] = pair;
    }
    at += Math.max(0, gone + come - 1);
  }
  return compared;
}

function countFrom(rows: readonly Row[], from: number, mark: DiffMark): number {
  let end = from;
  while (rows[end]?.isOfText && rows[end]?.mark === mark) end += 1;
  return end - from;
}

/** Of lines that have less in common, marks would only disturb. */
const LEAST_IN_COMMON = 0.3;

function comparedWords(before: Row, after: Row, effort: Effort): readonly [Row, Row] | undefined {
  const [old, next] = [valueOf(before), valueOf(after)];
  if (!spend(effort, old, next)) return undefined;
  const changes = diffWordsWithSpace(old, next, DIFFERENCES);
  if (changes === undefined) return undefined;
  const common = changes.filter(({ added, removed }) => !added && !removed).map(({ value }) => value.trim());
  if (common.join('').length < LEAST_IN_COMMON * Math.min(old.trim().length, next.trim().length)) return undefined;
  const side = (other: 'added' | 'removed') =>
    changes
      .filter((change) => !change[other])
      .map(({ value, added, removed }): RowPart => ({ text: value, ...((added || removed) && { isChanged: true }) }));
  return [
    { ...before, parts: side('added') },
    { ...after, parts: side('removed') },
  ];
}
