/** A Node as old as the package `nereid` promises to work with, from npm and into our cache. */
import path from 'node:path';
import { toolCache, type Environment } from '../toolchain/environment.ts';
import { installOnce } from '../toolchain/install-once.ts';
import { runTool } from '../toolchain/run-tool.ts';

const VERSION = '20.20.2';

/** A slow line takes minutes for 50 MB. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** Returns the folder of its program. Throws `InstallError`. */
export async function findOldNode(env: Environment): Promise<string> {
  const folder = path.join(toolCache(env), `old-node-${VERSION}`);
  const name = `node-${process.platform}-${process.arch}`;
  const options = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund'] as const;
  await installOnce({
    folder,
    report: () => undefined,
    install: async (staging) => {
      const argv = ['npm', 'install', '--prefix', staging, ...options, `${name}@${VERSION}`] as const;
      await runTool({ argv, env, timeoutMs: INSTALL_TIMEOUT_MS });
    },
  });
  return path.join(folder, 'node_modules', name, 'bin');
}
