/** Answers to `force-unlock`. Markdown; what Terraform says stands in a fence. Pure. */
import type { Failure } from '@nereid/domain/host';
import { refusalText } from '../intake/comment/replies.ts';

export interface AboutLock {
  readonly rootName: string;
  /** Of the form `isLockId`, so that it stays within a code span. */
  readonly lockId: string;
  /** Login. */
  readonly by: string;
}

export function freedText({ rootName, lockId, by }: AboutLock): string {
  return `Freed the lock \`${lockId}\` of the state of \`${rootName}\`, as @${by} asked. **Re-run** the checks that met it.`;
}

export function notFreedText({ rootName, lockId, by }: AboutLock, { summary, lines }: Failure): string {
  const lead = `The lock \`${lockId}\` of the state of \`${rootName}\` was not freed, as @${by} asked:`;
  return refusalText(lead, lines.length > 0 ? lines.slice(-LINES_SHOWN) : [summary]);
}

/** No host answered, and one may have done it all the same. */
export function unheardText({ rootName, lockId, by }: AboutLock): string {
  return `No host said what became of the lock \`${lockId}\` of the state of \`${rootName}\`, which @${by} asked to free. **Re-run** a check that met it: if it meets the lock again, comment the command again.`;
}

/** As many as a reply shows; the last ones say what is wrong. */
const LINES_SHOWN = 20;
