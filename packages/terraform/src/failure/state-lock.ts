/** Reads whose lock Terraform met, in the lines of its error. They are hostile: code of a root can print the same. */
import { isLockId, type StateLock } from '@nereid/domain/host';

/** The title of the error, of Terraform and OpenTofu. */
const TITLE = 'Error: Error acquiring the state lock';

/** Of a name or a time. */
const TEXT_LIMIT = 100;

/**
 * Undefined when the lines are about something else, or name no lock. The backend `http` describes its own request as the lock,
 * and names the lock that it met in a sentence before that.
 */
export function stateLockIn(lines: readonly string[]): StateLock | undefined {
  const start = lines.indexOf(TITLE);
  if (start === -1) return undefined;
  const info = lines.indexOf('Lock Info:', start);
  const message = info === -1 ? [] : lines.slice(start, info);
  const described = info === -1 ? [] : lines.slice(info + 1);
  const met = fieldIn(message, /^(?:.*already locked: *)?ID=(\S+)$/);
  const own = fieldIn(described, /^ +ID: +(\S+)$/);
  const id = met ?? own;
  if (id === undefined || !isLockId(id)) return undefined;
  // What is described is not the lock that was met.
  if (met !== undefined && met !== own) return { id };
  const [who, created] = [fieldIn(described, /^ +Who: +(\S.*)$/), fieldIn(described, /^ +Created: +(\S.*)$/)];
  return {
    id,
    ...(who !== undefined && { who: short(who) }),
    ...(created !== undefined && { created: short(created) }),
  };
}

function short(text: string): string {
  return text.slice(0, TEXT_LIMIT).toWellFormed();
}

function fieldIn(lines: readonly string[], field: RegExp): string | undefined {
  for (const line of lines) {
    const [, found] = field.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  return undefined;
}
