/** How long bubblewrap makes a command, in turns with the same command without it. */
import { findProgram, runCommand, systemFiles, type Sandbox } from '@nereid/subprocess';
import { median, timed } from '../timing.ts';

const ROUNDS = 50;

/** A command that takes longer hangs. */
const TIMEOUT_MS = 60_000;

/** The median of the differences, milliseconds. */
export async function timeCommands(env: NodeJS.ProcessEnv): Promise<number> {
  const found = findProgram({ argv: ['bwrap'], env: { PATH: env['PATH'] ?? '' }, cwd: '/' });
  if (found.kind === 'not-startable') throw new Error(`expected bubblewrap, found that ${found.why}; install it`);
  const sandbox: Sandbox = { bubblewrap: found.program, files: systemFiles(), network: 'host' };
  const differences = [];
  for (let round = 0; round < ROUNDS; round += 1) differences.push((await timeOne(sandbox)) - (await timeOne()));
  return median(differences);
}

async function timeOne(sandbox?: Sandbox): Promise<number> {
  const command = {
    argv: ['/bin/true'],
    env: {},
    cwd: '/',
    timeoutMs: TIMEOUT_MS,
    ...(sandbox && { sandbox }),
  } as const;
  const [ms, result] = await timed(() => runCommand(command));
  if (result.kind !== 'exited' || result.exitCode !== 0)
    throw new Error(`expected a command that ends well, found ${result.kind}: ${result.stderr}`);
  return ms;
}
