/** The audit trail as a file: lines of JSON, or CSV for spreadsheets. */
import type { ActivityEntry } from '@nereid/api';

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
  'hostId',
  'sentence',
  'id',
] as const satisfies readonly (keyof ActivityEntry)[];

export const EXPORT_HEADS: Readonly<Record<ExportFormat, string>> = { jsonl: '', csv: `${COLUMNS.join(',')}\r\n` };

export function exportLine(entry: ActivityEntry, format: ExportFormat): string {
  if (format === 'jsonl') return `${JSON.stringify(entry)}\n`;
  return `${COLUMNS.map((column) => cell(entry[column])).join(',')}\r\n`;
}

/** A spreadsheet takes a cell that begins with one of these for a formula, and names come from others. */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180. */
function cell(value: string | number | undefined): string {
  const text = String(value ?? '');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
