/** Whether audit events could be recorded, found out without recording one. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseAuditUrl } from './audit-address.ts';
import type { AuditOptions } from './audit.ts';

export type ProbedAudit =
  | { readonly kind: 'usable' }
  /** A permission to publish need not be one to ask. */
  | { readonly kind: 'unknown'; readonly sentence: string }
  /** `mayPass`: waiting may help; otherwise somebody has to change something. The sentence has no secret. */
  | { readonly kind: 'unusable'; readonly sentence: string; readonly mayPass: boolean };

/** Throws `InvalidAuditUrlError`. */
export async function probeAudit(url: string, options: AuditOptions = {}): Promise<ProbedAudit> {
  const address = parseAuditUrl(url);
  // Imported on demand, as by `openAudit`.
  if (address.kind === 'sns') return (await import('./probe-topic.ts')).probeTopic(address, options);
  return probeFile(address.path);
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
