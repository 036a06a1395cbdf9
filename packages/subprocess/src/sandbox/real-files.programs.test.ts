import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../../fixtures/fixture.ts';
import { aSandbox } from '../../fixtures/sandbox.ts';
import { runCommand } from '../run-command.ts';
import { supervise } from '../supervise.ts';
import { realFile } from './real-files.ts';

const CAT = { argv: ['cat', '/tmp/key'], env: { PATH: process.env['PATH'] ?? '' }, cwd: '/' } as const;

test.each(['tmp', 'tmp/key'])('a sandbox does not show what the link tmp leads to, as %s', async (name) => {
  await using folder = await temporaryFolder();
  const shown = join(await linkedSecrets(folder.path), '..', name);
  const at = name === 'tmp' ? '/tmp' : '/tmp/key';
  const sandbox = aSandbox({ path: shown, at, access: 'write' });
  const why = expect.stringContaining(`expected ${shown} not to be a link`);

  const supervised = { ...CAT, sandbox, folder: folder.path, name: 'command', onOutput: () => undefined };
  expect(await supervise(supervised)).toMatchObject({ kind: 'could-not-start', why });
  expect(await runCommand({ ...CAT, sandbox })).toMatchObject({ kind: 'could-not-start', why, stdout: '' });
});

test('a file that the operator names is shown under its name, wherever links lead', async () => {
  await using folder = await temporaryFolder();
  const link = await linkedSecrets(folder.path);
  const sandbox = aSandbox(realFile({ path: link, at: '/tmp', access: 'read' }));

  expect(await runCommand({ ...CAT, sandbox })).toMatchObject({ kind: 'exited', stdout: 'the key' });
});

/** Returns the link. */
async function linkedSecrets(folder: string): Promise<string> {
  const [secrets, link] = [join(folder, 'secrets'), join(folder, 'tmp')];
  await mkdir(secrets);
  await writeFile(join(secrets, 'key'), 'the key');
  await symlink(secrets, link);
  return link;
}
