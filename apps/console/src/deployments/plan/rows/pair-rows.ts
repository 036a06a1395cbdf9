/** The rows of a plan as two columns: what was, and beside it what is to be. Pure. */
import type { Row } from './text-rows.ts';

export interface Pair {
  /** Absent where nothing was. */
  readonly before?: Row;
  /** Absent where nothing is to be. */
  readonly after?: Row;
}

export type Side = keyof Pair;

/** The one where a resource is that only comes or only goes: the lines around its attributes are there as well. */
export function onlySide(rows: readonly Row[]): Side | undefined {
  const marks = new Set(rows.map(({ mark }) => mark));
  if (marks.has('!') || marks.has('-') === marks.has('+')) return undefined;
  return marks.has('-') ? 'before' : 'after';
}

export function pairRows(rows: readonly Row[], only?: Side): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at < rows.length;) {
    const row = rows[at];
    const gone = runOf(rows, at, '-');
    const come = runOf(rows, at + gone.length, '+');
    if (gone.length + come.length === 0 && row) {
      pairs.push(row.mark === '!' ? changed(row) : unchanged(row, only));
      at += 1;
      continue;
    }
    for (let index = 0; index < Math.max(gone.length, come.length); index += 1) {
      const [before, after] = [gone[index], come[index]];
      pairs.push({ ...(before && { before }), ...(after && { after }) });
    }
    at += gone.length + come.length;
  }
  return pairs;
}

function unchanged(row: Row, only: Side | undefined): Pair {
  return { ...(only !== 'after' && { before: row }), ...(only !== 'before' && { after: row }) };
}

function runOf(rows: readonly Row[], from: number, mark: Row['mark']): readonly Row[] {
  let end = from;
  while (rows[end]?.mark === mark) end += 1;
  return rows.slice(from, end);
}

/**
 * A value, which may quote anything; Terraform's remark behind the next one stays with that. No value begins with a space: a line
 * of nothing else would take the square of its length.
 */
const CHANGE =
  /^(?<lead>\s*(?:(?:[^\s"]+|"(?:[^"\\]|\\.)*") += )?)(?<before>"(?:[^"\\]|\\.)*"|[^\s"][^"]*?) -> (?<after>.*)$/;

/** `a = 1 -> 2` is `a = 1` and `a = 2`. What has no value of before, such as the beginning of a block, is in both columns. */
function changed(row: Row): Pair {
  const { lead = '', before, after } = CHANGE.exec(row.parts.map(({ text }) => text).join(''))?.groups ?? {};
  if (before === undefined || after === undefined) return { before: row, after: row };
  const { tail: _tail, ...rest } = row;
  return { before: { ...rest, parts: [{ text: lead + before }] }, after: { ...row, parts: [{ text: lead + after }] } };
}
