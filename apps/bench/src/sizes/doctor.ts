/**
 * How long the doctors take: that of each kind of process, beside the process, and `nereid doctor`, which asks the console that runs.
 * Most of it is the start of Node and the loading of what a process needs; so that stands beside it.
 */
import { fileURLToPath } from 'node:url';
import { runCommand } from '@nereid/subprocess';
import { SAMPLE } from '../deployments/sample-repository.ts';
import { withStack } from '../deployments/with-stack.ts';
import { median, timed } from '../timing.ts';
import { environmentOf, findKinds, KINDS, type Kind } from './kinds.ts';

export interface DoctorBench {
  /** Median, milliseconds: a Node that does nothing. */
  readonly nodeMs: number;
  readonly doctors: readonly DoctorTime[];
}

export interface DoctorTime {
  readonly what: Kind | 'nereid doctor';
  /** Median, milliseconds: until it has ended. */
  readonly ms: number;
  /** What it says of its checks alone. */
  readonly checksMs: number;
  /** The checks that failed. */
  readonly failed: readonly string[];
}

/** Odd, so that the median is one of them. */
const ROUNDS = 7;

const TIMEOUT_MS = 60_000;

const APPS = fileURLToPath(new URL('../../../', import.meta.url));

const PROGRAM_OF: Readonly<Record<Kind, string>> = {
  gateway: 'gateway/src/doctor/main.ts',
  control: 'worker/src/doctor/main.ts',
  host: 'worker/src/doctor/main.ts',
  console: 'console/src/doctor/main.ts',
};

export function benchDoctor(env: NodeJS.ProcessEnv): Promise<DoctorBench> {
  return withStack({ env, planReview: 'required', hasHostAlone: true }, async ({ github, urls }) => {
    // Without one, the App is installed nowhere, which is a failure.
    await github.createRepository({ ...SAMPLE, files: { 'README.md': 'A fleet.\n' }, collaborators: {} });
    const ids = await findKinds();
    const nereid = { PATH: env['PATH'] ?? '', NEREID_CONSOLE: urls.console };
    const doctors: DoctorTime[] = [];
    for (const kind of KINDS)
      doctors.push(await timeDoctor(kind, [PROGRAM_OF[kind], '--json'], await environmentOf(ids[kind])));
    doctors.push(await timeDoctor('nereid doctor', ['cli/src/main.ts', 'doctor', '--json'], nereid));
    return { nodeMs: await timeNode(), doctors };
  });
}

type Variables = Readonly<Record<string, string>>;

async function timeDoctor(what: DoctorTime['what'], args: readonly string[], env: Variables): Promise<DoctorTime> {
  const rounds: Pick<DoctorTime, 'ms' | 'checksMs'>[] = [];
  let failed: readonly string[] = [];
  // The first round fills the caches of the disk and of compiled code; it is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [ms, stdout] = await timed(() => run(args, env));
    const { tookMs, examined } = JSON.parse(stdout) as Printed; // As it prints.
    failed = examined.filter(({ outcome }) => outcome === 'fail').map(({ name }) => name);
    if (round > 0) rounds.push({ ms, checksMs: tookMs });
  }
  const of = (time: 'ms' | 'checksMs') => median(rounds.map((round) => round[time]));
  return { what, ms: of('ms'), checksMs: of('checksMs'), failed };
}

interface Printed {
  readonly tookMs: number;
  readonly examined: readonly { readonly name: string; readonly outcome: string }[];
}

async function timeNode(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push((await timed(() => run(['--eval', ''], {})))[0]);
  return median(times);
}

async function run(args: readonly string[], env: Variables): Promise<string> {
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', ...args] as const;
  const result = await runCommand({ argv: [...argv], cwd: APPS, env, timeoutMs: TIMEOUT_MS });
  // With 1, a check failed; it was made all the same.
  if (result.kind === 'exited' && (result.exitCode === 0 || result.exitCode === 1)) return result.stdout;
  const found = result.kind === 'exited' ? `exit code ${result.exitCode}` : result.kind;
  throw new Error(`expected that ${args.join(' ')} ends with a diagnosis, found ${found}: ${result.stderr}`);
}
