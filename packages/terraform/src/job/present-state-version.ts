import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '@nereid/subprocess';
import type { JobOptions } from './job-options.ts';
import type { Job } from './job.ts';
import { judgedCommand } from './judged-command.ts';
import { withRareCollections } from './rare-collections.ts';
import { stopTriggers } from './stop-triggers.ts';
import { variableArguments } from './variables/variables.ts';
import { HEAD_BYTES, NO_STATE, stateVersionIn } from '../state/state-version.ts';

/** Only the beginning of a state is read. What is longer than any state that we know of ends the command. */
const LIMIT_BYTES = 256 * 1024 ** 2;

/**
 * The version of the state of an initialised root as it is now. Locks nothing, and starts no code of the root. Undefined where Terraform
 * does not tell, such as when the backend is away. Throws only failures of the host.
 */
export async function presentStateVersion(options: JobOptions, job: Job): Promise<string | undefined> {
  options.onStep?.('state pull');
  const file = path.join(options.folder, 'state.json');
  const variables = await variableArguments('state pull', options, job.rootDir);
  const judged = judgedCommand(job);
  try {
    const pulled = await runCommand({
      argv: [options.binary, 'state', 'pull', ...variables],
      ...judged,
      env: withRareCollections(judged.env),
      stdoutFile: { path: file, limitBytes: LIMIT_BYTES },
      ...stopTriggers(options, job),
    });
    const hasBegun =
      pulled.kind !== 'could-not-start' && !(pulled.kind === 'stopped' && pulled.stoppedBy === 'before-start');
    if (!hasBegun) return undefined;
    const head = await headOf(file);
    const isEmpty = pulled.kind === 'exited' && pulled.exitCode === 0 && head === '';
    return isEmpty ? NO_STATE : stateVersionIn(head);
  } finally {
    await rm(file, { force: true });
  }
}

async function headOf(file: string): Promise<string> {
  await using state = await open(file);
  const { buffer, bytesRead } = await state.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.toString('utf8', 0, bytesRead);
}
