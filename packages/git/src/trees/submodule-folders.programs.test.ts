import { lstat, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTestHost, type TestHost } from '../testing/index.ts';

let host: TestHost;
let sha: string;

beforeEach(async () => {
  host = await startTestHost();
  sha = await host.upstream.commit({ files: { 'main.tf': '', 'lib/vpc': { submodule: 'a'.repeat(40) } } });
});

afterEach(async () => {
  await host.close();
});

const checkOut = async (deploymentId: string) =>
  host.mirrors.checkOut({ repository: host.repository, sha, deploymentId });

/** By code of a deployment, which git takes for the business of the submodule. */
const LEFT: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  files: async (folder) => {
    await mkdir(join(folder, 'deep'), { recursive: true });
    await writeFile(join(folder, 'deep', 'main.tf'), 'left');
  },
  'a link to elsewhere in its place': async (folder) => {
    await rm(folder, { recursive: true });
    await symlink(host.dir, folder);
  },
  'a file in its place': async (folder) => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'left');
  },
};

test.each(Object.keys(LEFT))(
  'the folder of a submodule is empty for the next deployment, whatever was left: %s',
  async (what) => {
    const folder = (tree: string) => join(tree, 'lib', 'vpc');
    await LEFT[what]?.(folder(await checkOut('d1')));
    await host.mirrors.release('d1');

    const tree = await checkOut('d2');

    expect((await lstat(folder(tree))).isDirectory()).toBe(true);
    expect(await readdir(folder(tree))).toEqual([]);
    // What a link led to is still there.
    expect(await readdir(host.dir)).toContain('server');
  },
);
