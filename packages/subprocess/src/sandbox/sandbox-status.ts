/**
 * What is reported of a supervised command's sandbox, in lines of JSON: by bubblewrap when it exists, by its first process
 * when that can be signalled, by bubblewrap when it has ended.
 */
import { readlink } from 'node:fs/promises';
import { hasErrorCode } from '../error-code.ts';

export interface SandboxStatus {
  /** The first process in the sandbox, which leads its process group, and its namespace of processes. */
  readonly first?: { readonly pid: number; readonly namespace: number };
  /** Signals reach the command, or keep it from being started. */
  readonly isReady: boolean;
  /** As a shell reports it. Only bubblewrap writes it, and only of a command that it started. */
  readonly exitCode?: number;
}

export function parseSandboxStatus(record: string): SandboxStatus {
  const values = new Map(record.split('\n').slice(0, -1).flatMap(entriesOf));
  const [pid, namespace] = [values.get('child-pid'), values.get('pid-namespace')];
  const exitCode = values.get('exit-code');
  return {
    isReady: values.get('ready') === true,
    ...(typeof pid === 'number' && typeof namespace === 'number' && { first: { pid, namespace } }),
    ...(typeof exitCode === 'number' && { exitCode }),
  };
}

/** Whether the sandbox's first process lives. Pids are reused, but not together with their namespace. */
export async function isSandboxAlive({ first }: SandboxStatus): Promise<boolean> {
  if (first === undefined) return false;
  try {
    return (await readlink(`/proc/${first.pid}/ns/pid`)) === `pid:[${first.namespace}]`;
  } catch (error) {
    // A process that is gone has no namespace; a zombie has none either, and another user's must not be looked at.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].some((code) => hasErrorCode(error, code))) return false;
    throw error;
  }
}

/** Nothing of a line that a full disk cut off. */
function entriesOf(line: string): readonly (readonly [string, unknown])[] {
  try {
    return Object.entries(JSON.parse(line) as object);
  } catch {
    return [];
  }
}
