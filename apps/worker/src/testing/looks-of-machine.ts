/** `FULL READ_ONLY`: prints what the doctor and the start of a worker say of the folders on two disks, and of sandboxes, as JSON. */
import { ConfigurationError, readServerConfig, type LocatedProblem } from '@nereid/config';
import { inspectDataDir, openDataDir } from '../platform/disk/data-dir.ts';
import { probeSandbox, sandboxProblems } from '../host/sandbox-probe.ts';

/** Undefined where nothing is wrong. */
interface Said {
  readonly doctor: string | undefined;
  readonly start: string | undefined;
}

export type LooksOfMachine = Readonly<Record<'full' | 'read-only' | 'sandbox', Said>>;

const [full = '', readOnly = ''] = process.argv.slice(2);

const SERVER = `repositories: [{ match: acme/* }]
storage: { deployments: "file:${full}", plans: "file:${full}", logs: "file:${full}" }`;

const said: LooksOfMachine = {
  full: await ofFolder(full),
  'read-only': await ofFolder(readOnly),
  sandbox: await ofSandbox(),
};
process.stdout.write(JSON.stringify(said));

async function ofFolder(folder: string): Promise<Said> {
  const look = await inspectDataDir(folder);
  return {
    doctor: look.kind === 'free' ? undefined : sentenceOf(look.problem),
    start: await refusalOf(() => openDataDir(folder)),
  };
}

async function ofSandbox(): Promise<Said> {
  const read = readServerConfig(SERVER);
  if (read.kind !== 'ok') throw new Error(`expected a file of the server, found ${JSON.stringify(read.problems)}`);
  const probe = {
    environment: { PATH: process.env['PATH'] ?? '' },
    server: { current: () => read.config },
    config: { dataDir: readOnly, workDir: readOnly, secretFiles: [] },
  };
  const [problem] = await sandboxProblems(probe);
  const logger = { warn: () => undefined };
  return { doctor: problem && sentenceOf(problem), start: await refusalOf(() => probeSandbox({ ...probe, logger })) };
}

async function refusalOf(start: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await start();
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(sentenceOf).join('\n');
  }
}

function sentenceOf({ path, message }: LocatedProblem): string {
  return `${path}: ${message}`;
}
