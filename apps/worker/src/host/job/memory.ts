/** The limit of the memory that the commands of one job have together, where this worker can set one. */
import { basename } from 'node:path';
import type { ServerConfig } from '@nereid/config';
import { openMemoryGroups, type MemoryGroups, type MemoryLimit } from '@nereid/subprocess';
import type { Logger } from 'pino';

/** Undefined when no limit is wanted, or none can be set, which is logged. */
export function openJobGroups(
  { sandbox, memoryBytes }: Pick<ServerConfig['terraform'], 'sandbox' | 'memoryBytes'>,
  logger: Pick<Logger, 'warn'>,
  open = openMemoryGroups,
): MemoryGroups | undefined {
  if (memoryBytes === undefined) return undefined;
  const opened = sandbox === 'none' ? ({ kind: 'not-opened', why: 'there is no sandbox' } as const) : open();
  if (opened.kind === 'opened') return opened.groups;
  logger.warn(
    { why: opened.why },
    'terraform.memory has no effect: this worker cannot limit the memory of its commands',
  );
  return undefined;
}

interface JobGroups {
  readonly memoryGroups: MemoryGroups | undefined;
  readonly sandbox: Pick<ServerConfig['terraform'], 'memoryBytes'>;
}

export function memoryOfJob(
  { memoryGroups, sandbox: { memoryBytes } }: JobGroups,
  { jobFolder }: { readonly jobFolder: string },
): MemoryLimit | undefined {
  return memoryBytes === undefined ? undefined : memoryGroups?.limited(basename(jobFolder), memoryBytes);
}
