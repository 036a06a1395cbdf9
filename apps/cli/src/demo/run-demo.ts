import { defined } from '@nereid/domain/defined';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { EXIT, ExitError, type ExitCode } from '../exit-code.ts';
import type { World } from '../world.ts';
import { unpackDemo, type DemoSources } from './unpack-demo.ts';

export interface DemoRun {
  /** For the demo itself. */
  readonly args: readonly string[];
  readonly storage: string | undefined;
  readonly world: World;
}

/** Runs the demo as a process that has this terminal, and ends as it does. */
export async function runDemo({ args, storage, world }: DemoRun): Promise<ExitCode> {
  const sources = await unpackDemo(world);
  const needs = storage === 's3' ? ['--needs', 'python3'] : [];
  const demo = ['node', '--disable-warning=ExperimentalWarning', path.join(sources.folder, MAIN), ...args];
  const child = spawn('bash', [path.join(sources.folder, '.config/prepared.sh'), ...needs, ...demo], {
    env: environmentOf(sources, storage, world),
    stdio: 'inherit',
  });
  // A terminal sends SIGINT to the demo as well, which would take a second one for impatience.
  const pass = () => child.kill('SIGTERM');
  process.on('SIGTERM', pass);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', ({ message }) => {
        reject(new ExitError(EXIT.refused, `expected bash on PATH, found: ${message}; install it and try again`));
      });
      child.once('exit', (code) => {
        resolve(Object.values(EXIT).find((known) => known === code) ?? EXIT.interrupted);
      });
    });
  } finally {
    process.off('SIGTERM', pass);
  }
}

/** `compiledName` gives it another ending in the package. */
const MAIN = 'apps/local/src/main.ts';

/** What npx tells its children about the package that it runs is wrong for the npm that the demo starts. */
const OF_NPX = /^npm_(?!config_)|^npm_config_(prefix|local_prefix|global|global_prefix|package|call|workspaces?|yes)$/i;

function environmentOf({ isUnpacked }: DemoSources, storage: string | undefined, { env }: World): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !OF_NPX.test(name));
  return {
    ...Object.fromEntries(kept),
    // The Node that runs this is new enough, which the first one on PATH may not be.
    PATH: [path.dirname(process.execPath), env['PATH'] ?? ''].join(path.delimiter),
    NEREID_DEMO_FOLDER: path.resolve('.nereid'),
    ...defined({ STORAGE: storage }),
    ...(isUnpacked && { npm_config_omit: 'dev', npm_config_ignore_scripts: 'true' }),
  };
}
