/** Commands that do not want to end. */
import { expect, test } from '@jest/globals';
import { patienceUntil, temporaryFolder } from '../../fixtures/fixture.ts';
import { aSandbox } from '../../fixtures/sandbox.ts';
import { runningCommands } from '../command-files.ts';
import { supervise, type SuperviseOptions } from '../supervise.ts';

async function run(script: string, more: Partial<SuperviseOptions>) {
  await using folder = await temporaryFolder();
  const result = await supervise({
    argv: ['sh', '-c', script],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    sandbox: aSandbox(),
    folder: folder.path,
    name: 'command',
    onOutput: () => undefined,
    ...more,
  });
  expect(await runningCommands(folder.path)).toEqual([]);
  return result;
}

test.each<[string, string]>([
  ['itself', 'kill -STOP $$'],
  ['everything that it sees', 'sleep 300 & kill -STOP -1; kill -STOP $$'],
])('a command that has stopped %s is killed', async (_what, script) => {
  const stopped = await run(script, { timeoutMs: 1_000, patience: patienceUntil('sigkill') });

  expect(stopped).toMatchObject({ kind: 'stopped', cause: 'timed-out', stoppedBy: 'sigkill' });
});

test('a command that goes on to print in spite of interrupts is killed before it has filled the disk', async () => {
  // With the patience of the product, it would take more than a minute.
  const stopped = await run("trap '' INT; exec yes", { outputLimitBytes: 1_000_000 });

  expect(stopped).toMatchObject({ kind: 'stopped', cause: 'output-limit', stoppedBy: 'sigkill' });
});
