/** A diagnosis as a table for a terminal, with what to do below each finding. */
import { printable } from '@nereid/config';
import type { Diagnosis, Examined, Outcome } from './check.ts';

/** One that is seen from afar. */
const MARKS: Readonly<Record<Outcome, string>> = { ok: 'ok', warn: 'warn', fail: 'FAIL', skip: '-' };

const MARK_COLUMNS = 4;
const GAP = '  ';
/** Narrower ones wrap by themselves. */
const LEAST_TEXT_COLUMNS = 30;

/** `columns` is the width of the terminal. */
export function renderDiagnosis(diagnosis: Diagnosis, columns: number): string {
  const { examined } = diagnosis;
  const nameColumns = Math.max(...examined.map(({ name }) => name.length), 'CHECK'.length);
  const indent = MARK_COLUMNS + nameColumns + 2 * GAP.length;
  const textColumns = Math.max(columns - indent, LEAST_TEXT_COLUMNS);
  const rows = examined.flatMap((each, index) => {
    const isRepeated = examined[index - 1]?.name === each.name;
    const before = cells(MARKS[each.outcome], isRepeated ? '' : each.name);
    return linesOf(each, textColumns).map((line, row) => (row === 0 ? before : ' '.repeat(indent)) + line);
  });
  const lines = [`${cells('', 'CHECK')}FOUND`, ...rows, '', summaryOf(diagnosis), ''];
  return lines.map((line) => line.trimEnd()).join('\n');

  function cells(mark: string, name: string): string {
    return [mark.padEnd(MARK_COLUMNS), name.padEnd(nameColumns), ''].join(GAP);
  }
}

function linesOf({ found, remedy }: Examined, columns: number): readonly string[] {
  return [...wrap(found, columns), ...(remedy === undefined ? [] : wrap(`→ ${remedy}`, columns))];
}

function summaryOf({ process, examined, tookMs }: Diagnosis): string {
  const count = (outcome: Outcome) => examined.filter((each) => each.outcome === outcome).length;
  const [failed, warned] = [count('fail'), count('warn')];
  const verdict = failed > 0 ? 'cannot work like this' : 'can work';
  return `The ${process} ${verdict}: ${failed} failed, ${warned} to look at, ${count('ok')} fine, in ${(tookMs / 1_000).toFixed(1)} s.`;
}

/** Some of it comes from services: on one line, and without what moves a cursor. A word that is too long stays whole, to be copied. */
function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text.replaceAll(/\s+/g, ' ').trim()).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
