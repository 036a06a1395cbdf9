/** The audit trail as a file: lines of JSON, or CSV for spreadsheets. */
import type { ActivityEntry } from '@nereid/api';
import { OPERATOR_SUBJECTS } from '@nereid/domain/actions';

export const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const COLUMNS = [
  'at',
  'state',
  'action',
  'person',
  'approvedBy',
  'repository',
  'rootName',
  'revision',
  'deploymentId',
  'pullRequest',
  ...Object.values(OPERATOR_SUBJECTS),
  'sentence',
  'id',
] as const satisfies readonly (keyof ActivityEntry)[];

export const EXPORT_HEADS: Readonly<Record<ExportFormat, string>> = { jsonl: '', csv: `${COLUMNS.join(',')}\r\n` };

export function exportLine(entry: ActivityEntry, format: ExportFormat): string {
  if (format === 'jsonl') return `${JSON.stringify(entry)}\n`;
  return `${COLUMNS.map((column) => cell(entry[column])).join(',')}\r\n`;
}

export interface Unfinished {
  /** As a clause. */
  readonly why: string;
  /** Where it goes on. */
  readonly cursor: string;
}

/** The last line of a file that is not the whole. It is no event: `at` is missing, and `state` is none of theirs. */
export function lastLine(format: ExportFormat, { why, cursor }: Unfinished): string {
  const sentence = `THIS FILE IS INCOMPLETE: ${why}. Earlier events are missing. It goes on with the same address and cursor=${cursor}`;
  const fields: Partial<Record<keyof ActivityEntry, string>> = { state: INCOMPLETE, sentence };
  if (format === 'jsonl') return `${JSON.stringify({ ...fields, next: cursor })}\n`;
  return `${COLUMNS.map((column) => cell(fields[column])).join(',')}\r\n`;
}

const INCOMPLETE = 'INCOMPLETE';

/** A spreadsheet takes a cell that begins with one of these for a formula, and names come from others. */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180. */
function cell(value: string | number | undefined): string {
  const text = String(value ?? '');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
