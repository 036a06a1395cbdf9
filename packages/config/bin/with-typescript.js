/**
 * Runs sources in TypeScript, for programs that a person starts with the first Node in PATH. This file is plain JavaScript,
 * which Node 20 reads: if the running Node is too old, a newer one takes over. That is the one that npm installed with the
 * package `nereid`, or the one that `make install` put into the cache. In the package, the sources are compiled, but for Node 24.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The same as for an invalid configuration. */
const EXIT_CODE = 2;

/** Node 22 reads TypeScript, but not all of the language that we use. */
const OLDEST = 24;

/** `load` imports the program, which finds its arguments in `process.argv` in either Node. */
export async function withTypeScript(load) {
  if (process.features.typescript && Number.parseInt(process.versions.node) >= OLDEST) {
    await load();
    return;
  }
  const cache = cacheFolder(process.env);
  const node = nodeOfPackage() ?? newestNodeIn(cache);
  if (node === undefined) {
    process.stderr.write(
      `expected Node 24 or newer, found ${process.versions.node}, and no newer one in ${cache}; run make install in the clone of Nereid, or put Node 24 first in PATH\n`,
    );
    process.exit(EXIT_CODE);
  }
  runInstead(node);
}

/** Where npm knows this platform, it installs a Node beside the package `nereid`. */
function nodeOfPackage() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return undefined;
  }
}

/** The folder in which .config/prepared.sh installs its programs. */
function cacheFolder(env) {
  return env.NEREID_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'nereid');
}

function newestNodeIn(cache) {
  const folders = existsSync(cache) ? readdirSync(cache) : [];
  return folders
    .filter((folder) => /^node-\d+\.\d+\.\d+$/.test(folder))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((folder) => join(cache, folder, 'node_modules/node/bin/node'))
    .find((node) => existsSync(node));
}

function runInstead(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends SIGINT to the child as well, which would take a second one for impatience.
  process.on('SIGINT', () => undefined);
  child.on('error', (error) => {
    process.stderr.write(`expected a Node that starts at ${node}, found: ${error.message}; run make install again\n`);
    process.exitCode = EXIT_CODE;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
