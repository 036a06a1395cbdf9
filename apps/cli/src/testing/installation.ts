/** What docker compose starts with the files of a set-up, as processes on this machine, with a Temporal dev server behind its certificates. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  findDevServer,
  findTerraform,
  freePort,
  startTemporalServer,
  startTlsFront,
  startUntilReady,
} from '@nereid/test-kit';
import { composed, type Variables } from './composed.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const NODE = [process.execPath, '--disable-warning=ExperimentalWarning'] as const;

/** As in the images. */
const PROGRAMS = {
  gateway: ['apps/gateway/src/main.ts'],
  worker: ['--import', './apps/worker/src/platform/temporal/preload.ts', 'apps/worker/src/main.ts'],
  console: ['apps/console/src/main.ts'],
} as const;

export type ProcessName = keyof typeof PROGRAMS;
export const PROCESSES = Object.keys(PROGRAMS) as ProcessName[]; // Its keys.

/** Two loaded cores may take a minute. */
const READY_MS = 180_000;

export interface Place {
  /** For what containers have volumes, and for logs. */
  readonly folder: string;
  readonly ports: Readonly<Record<ProcessName, number>>;
}

export interface Installation extends AsyncDisposable {
  /** What the doctor of a process finds that is not fine. */
  readonly complaintsOf: (name: ProcessName) => Promise<readonly string[]>;
}

/** The ports have to be known to a set-up before anything listens there. */
export async function choosePlace(folder: string): Promise<Place> {
  return { folder, ports: { gateway: await freePort(), worker: await freePort(), console: await freePort() } };
}

/** `environment` is the file that a set-up wrote for Compose, and nothing else is given. Resolves when all of them are ready. */
export async function startInstallation(environment: string, place: Place): Promise<Installation> {
  await using started = new AsyncDisposableStack();
  const { folder, ports } = place;
  const { environmentOf } = composed(readFileSync(environment, 'utf8'));
  const [temporal] = await Promise.all([
    startTemporal(environmentOf('worker'), folder, started),
    node(['apps/worker/src/build-bundle.ts', bundleIn(folder)], {}),
  ]);
  const { PATH: ownPath = '' } = process.env;
  const terraform = await findTerraform({ env: process.env, report: () => undefined });
  const serverFile = await mountServerFile(environmentOf('worker')['NEREID_CONFIG'] ?? '', folder, terraform);
  const environments = (service: string): Variables => ({
    ...environmentOf(service),
    PATH: `${dirname(terraform)}:${ownPath}`,
    // What containers have of their network, their volumes and their image.
    ...{ TEMPORAL_ADDRESS: temporal, NEREID_CONFIG: serverFile },
    ...{ DATA_DIR: join(folder, 'worker'), WORK_DIR: join(folder, 'worker/work') },
    ...Object.fromEntries(PROCESSES.map((name) => [`${name.toUpperCase()}_ADDRESS`, `127.0.0.1:${ports[name]}`])),
  });
  await node(['temporal/main.ts'], environments('temporal-namespace'));
  const starts = await Promise.allSettled(
    PROCESSES.map(async (name) => {
      const running = await startProcess(name, environments(name), place);
      started.defer(() => running.stop());
    }),
  );
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
  const all = started.move();
  return {
    async complaintsOf(name) {
      const program = node([`apps/${name}/src/doctor/main.ts`, '--json'], environments(name));
      // It ends with 1 when something failed, which is no error here.
      const { stdout } = await program.catch((error: unknown) => error as { readonly stdout: string });
      const { examined } = JSON.parse(stdout) as Diagnosis;
      const others = examined.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
      return others.map((each) => `${name}, ${each.name}: ${each.found}; ${each.remedy ?? ''}`);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

interface Diagnosis {
  readonly examined: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly found: string;
    readonly remedy?: string;
  }[];
}

/** Returns the address at which only clients with a certificate of the set-up are heard. */
async function startTemporal(ofWorker: Variables, folder: string, started: AsyncDisposableStack): Promise<string> {
  const { TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority = '' } = ofWorker;
  const program = await findDevServer({ env: process.env, report: () => undefined });
  const server = await startTemporalServer({ program, logFile: join(folder, 'temporal.log') });
  started.defer(() => server.stop());
  const [certificate, key] = ['temporal.pem', 'temporal-key.pem'].map((name) =>
    readFileSync(join(dirname(authority), name), 'utf8'),
  );
  const clientAuthority = readFileSync(authority, 'utf8');
  const front = await startTlsFront({
    target: server.address,
    certificate: certificate ?? '',
    key: key ?? '',
    clientAuthority,
  });
  started.use(front);
  return `127.0.0.1:${front.port}`;
}

/** With the volume of storage where it is here, and the Terraform that is here: tests download none. */
async function mountServerFile(written: string, folder: string, terraform: string): Promise<string> {
  const { stdout } = await promisify(execFile)(terraform, ['version', '-json']);
  const { terraform_version: version } = JSON.parse(stdout) as { terraform_version: string }; // Of Terraform.
  const distribution = basename(terraform) === 'tofu' ? 'tofu' : 'terraform';
  const text = readFileSync(written, 'utf8')
    .replaceAll('/var/lib/nereid-storage', join(folder, 'storage'))
    .replace(
      /^terraform: .*$/m,
      `terraform: { distribution: ${distribution}, version: '${version}', downloads: false }`,
    );
  for (const volume of ['storage', 'worker', 'worker/work']) mkdirSync(join(folder, volume));
  const file = join(folder, 'nereid.server.yaml');
  writeFileSync(file, text);
  return file;
}

function startProcess(name: ProcessName, env: Variables, { folder, ports }: Place) {
  const more = name === 'worker' ? ['--workflows', bundleIn(folder)] : [];
  return startUntilReady({
    name,
    process: {
      argv: [...NODE, ...PROGRAMS[name], ...more],
      env,
      cwd: REPOSITORY,
      logFile: join(folder, `${name}.log`),
    },
    isReady: async () => (await fetch(`http://127.0.0.1:${ports[name]}/readyz`)).ok,
    readyTimeoutMs: READY_MS,
  });
}

/** What is beside the code in an image. */
function bundleIn(folder: string): string {
  return join(folder, 'workflows.js');
}

function node(args: readonly string[], env: Variables) {
  const [program, ...options] = NODE;
  return promisify(execFile)(program, [...options, ...args], { cwd: REPOSITORY, env });
}
