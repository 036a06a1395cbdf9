/** An apply that lives, of which no host of the test knows. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { supervise } from '@nereid/subprocess';

export async function aLeftOverApply(workDir: string) {
  const deploymentId = randomUUID();
  const folder = join(workDir, deploymentId, 'jobs', `${deploymentId}-apply-1`);
  await mkdir(folder, { recursive: true });
  const abort = new AbortController();
  const begun = Promise.withResolvers<undefined>();
  const command = supervise({
    argv: ['sh', '-c', 'echo begun; exec sleep 600'],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: '/',
    folder,
    name: 'apply',
    onOutput: () => begun.resolve(undefined),
    signal: abort.signal,
  });
  await begun.promise;
  return {
    deploymentId,
    async stop() {
      abort.abort();
      await command;
    },
  };
}
