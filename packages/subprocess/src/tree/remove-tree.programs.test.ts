import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../../fixtures/fixture.ts';
import { removeTree } from './remove-tree.ts';
import { runCommand } from '../run-command.ts';

/** By code that ran in a folder. */
const LEFT: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  nothing: () => Promise.resolve(),
  'folders that nobody may read or change': async (folder) => {
    await mkdir(join(folder, 'a', 'b'), { recursive: true });
    await writeFile(join(folder, 'a', 'b', 'file'), '');
    for (const closed of [join(folder, 'a', 'b'), join(folder, 'a')]) await chmod(closed, 0);
  },
  'folders that lie deeper than any path reaches': (folder) => deepen(folder),
  'both, and a link to elsewhere': async (folder) => {
    await deepen(folder);
    await symlink(join(folder, '..', 'precious'), join(folder, 'link'));
    await mkdir(join(folder, 'closed'), { mode: 0 });
  },
};

test.each(Object.keys(LEFT))('a folder is removed, whatever was left in it: %s', async (what) => {
  await using temporary = await temporaryFolder();
  const [folder, precious] = [join(temporary.path, 'folder'), join(temporary.path, 'precious')];
  await mkdir(folder);
  await mkdir(precious, { mode: 0o500 });
  await LEFT[what]?.(folder);

  await removeTree(folder);
  await removeTree(folder);

  expect(await readdir(temporary.path)).toEqual(['precious']);
  expect((await stat(precious)).mode & 0o777).toBe(0o500);
});

async function deepen(cwd: string): Promise<void> {
  const program = "import os\nfor _ in range(1000):\n  os.mkdir('deep-folder'); os.chdir('deep-folder')";
  const made = await runCommand({ argv: ['python3', '-c', program], env: { PATH: '/usr/bin:/bin' }, cwd });
  expect(made).toMatchObject({ kind: 'exited', exitCode: 0 });
}
