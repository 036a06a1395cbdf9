import type { AppliedCounts } from '@nereid/domain/deployment';
import type { JobOptions } from '../job-options.ts';
import { createWarningReader } from './warning-reader.ts';
import { withoutEscapes } from '../../without-escapes.ts';

/** Remembers parts of a step's output; the output itself is only passed on. */
export interface OutputReader {
  read(chunk: Uint8Array): void;
  /** The last bytes, without secrets. */
  tail(): Uint8Array;
  /** Terraform's own count of what it applied, once it has said so. */
  appliedCounts(): AppliedCounts | undefined;
  /** As in `WarningReader`. */
  warnings(): readonly string[];
}

/** Far more than the 60 lines that a failure shows, even when warnings follow the error. */
const TAIL_BYTES = 64 * 1024;

/** Read before these and left out, because they may begin within a secret. The longest value of an `env` step. */
const SECRET_BYTES = 64 * 1024;
const READ_BYTES = SECRET_BYTES + TAIL_BYTES;

/** Terraform's line of counts has less than 200 bytes; a longer line is a different one. */
const LINE_BYTES = 1024;

export function createOutputReader(hide: JobOptions['hide'] = asItIs): OutputReader {
  let last: Uint8Array = new Uint8Array();
  let isCut = false;
  let unfinishedLine = '';
  let counts: AppliedCounts | undefined;
  const warnings = createWarningReader();

  return {
    read(chunk) {
      warnings.read(chunk);
      isCut ||= last.length + chunk.length > READ_BYTES;
      last = Buffer.concat([last, chunk]).subarray(-READ_BYTES);
      // Outputs come after the counts and may look like counts, so the first match is the true one.
      if (counts !== undefined) return;
      const text = unfinishedLine + Buffer.from(chunk).toString('latin1');
      counts = findCounts(text);
      unfinishedLine = text.slice(text.lastIndexOf('\n') + 1).slice(-LINE_BYTES);
    },
    tail: () => hide(last).subarray(isCut ? SECRET_BYTES : -TAIL_BYTES),
    appliedCounts: () => counts,
    warnings: () => warnings.warnings(),
  };
}

const asItIs = (output: Uint8Array) => output;

const SENTENCE = 'Apply complete! Resources: ';

/** Finds the sentence at the start of a finished line. */
function findCounts(text: string): AppliedCounts | undefined {
  let from = text.indexOf(SENTENCE);
  while (from !== -1) {
    const end = text.indexOf('\n', from);
    if (end === -1) return undefined;
    const line = withoutEscapes(text.slice(text.lastIndexOf('\n', from) + 1, end));
    if (line.startsWith(SENTENCE)) return parseCounts(line);
    from = text.indexOf(SENTENCE, end);
  }
  return undefined;
}

function parseCounts(line: string): AppliedCounts {
  const count = (what: string) => Number(new RegExp(String.raw`(\d+) ${what}`).exec(line)?.[1] ?? 0);
  return {
    added: count('added'),
    changed: count('changed'),
    destroyed: count('destroyed'),
    imported: count('imported'),
  };
}
