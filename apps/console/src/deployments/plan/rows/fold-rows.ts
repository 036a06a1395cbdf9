/** Folds what nobody looks for among the rows of a plan. Pure. */
import type { Row } from './text-rows.ts';

export interface Stretch {
  readonly rows: readonly Row[];
  readonly isFolded: boolean;
}

/** Lines that stay around a change. */
const CONTEXT = 3;
/** A fold takes a line itself. */
const LEAST_FOLDED = 4;
/** So many lines of a value that comes or goes as a whole are seen. */
const TEXT_SEEN = 12;

/** Unchanged lines between changes, and most lines of a value that comes or goes as a whole. */
export function foldRows(rows: readonly Row[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let open: Row[] = [];
  for (let at = 0; at < rows.length;) {
    const run = runFrom(rows, at);
    const isSame = run[0]?.mark === ' ';
    const [head, tail] = isSame ? [CONTEXT, CONTEXT] : [TEXT_SEEN, 0];
    if ((isSame || run[0]?.isOfText) && run.length >= head + tail + LEAST_FOLDED) {
      stretches.push({ rows: [...open, ...run.slice(0, head)], isFolded: false });
      stretches.push({ rows: run.slice(head, run.length - tail), isFolded: true });
      open = run.slice(run.length - tail);
    } else open.push(...run);
    at += run.length;
  }
  return open.length === 0 ? stretches : [...stretches, { rows: open, isFolded: false }];
}

/** Rows with the same mark; lines of a value are apart from attributes that come or go as well. */
function runFrom(rows: readonly Row[], from: number): Row[] {
  const first = rows[from];
  let end = from;
  while (rows[end]?.mark === first?.mark && (first?.mark === ' ' || rows[end]?.isOfText === first?.isOfText)) end += 1;
  return rows.slice(from, end);
}
