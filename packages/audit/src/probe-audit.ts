/** Whether audit events could be recorded, found out without recording one. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sinkName, type AuditAddress, type AuditSink } from '@nereid/domain/trail/address';
import { parseAuditUrl } from './audit-url.ts';
import type { AuditOptions, ProbedAudit } from './audit.ts';

/** `name`: as `openAudit` names it. Throws `InvalidAuditUrlError`. */
export async function probeAudit(
  { to, secretFile = '' }: AuditSink,
  options: AuditOptions = {},
): Promise<ProbedAudit & { readonly name: string }> {
  const address = parseAuditUrl(to);
  return { name: sinkName(address), ...(await probeAddress(address, secretFile, options)) };
}

async function probeAddress(address: AuditAddress, secretFile: string, options: AuditOptions): Promise<ProbedAudit> {
  switch (address.kind) {
    case 'file':
      return probeFile(address.path);
    case 'sns':
      // Imported on demand, as by `openAudit`.
      return (await import('./probe-topic.ts')).probeTopic(address, options.sns);
    case 'pubsub':
      return (await import('./http/probe-pubsub.ts')).probePubsub(address, options);
    case 'webhook':
    case 'eventgrid':
      return (await import('./http/probe-url.ts')).probeUrl(address, secretFile);
  }
}

async function probeFile(path: string): Promise<ProbedAudit> {
  const there = await existingPart(path);
  try {
    await access(there, constants.W_OK);
    if (there === path || (await stat(there)).isDirectory()) return { kind: 'usable' };
    return unwritable(path, `the file ${there} in the place of a folder`);
  } catch {
    return unwritable(path, 'that this process may not');
  }
}

function unwritable(path: string, found: string): ProbedAudit {
  const sentence = `expected a file of audit events that can be written at ${path}, found ${found}; give its folder to the user of this process, or correct audit.to`;
  return { kind: 'unusable', sentence, mayPass: false };
}

/** The file, or the folder that it or its folders would be made in. */
async function existingPart(path: string): Promise<string> {
  for (let each = path; ; each = dirname(each)) {
    if (each === dirname(each)) return each;
    if (await stat(each).then(Boolean, () => false)) return each;
  }
}
