/** The doctor and the start of a worker as processes, with a real Temporal and a real GitHub beside them. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Diagnosis } from '@nereid/doctor';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { createKeyPair } from '@nereid/signature';
import { aReleaseMirror, aVendorKey, type ReleaseMirror } from '@nereid/terraform/testing';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { openDataDir } from '../platform/disk/data-dir.ts';
import { KEY_VARIABLES, SEAL_VARIABLES } from '../testing/test-signatures.ts';

const APP_ID = 7;

let environment: WorkflowEnvironment;
const folder = folderOfThisFile();
let github: GitHubStandIn;
let releases: ReleaseMirror;
const { privateKey } = makeAppKey();

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
  releases = await aReleaseMirror({}, await aVendorKey());
  github = await startStandIn();
  await github.createRepository({ owner: 'acme', name: 'infra', files: { a: 'a' }, collaborators: { ada: 'admin' } });
});

afterAll(async () => {
  await github.close();
  await releases[Symbol.asyncDispose]();
  await environment.close();
});

async function startStandIn(permissions?: Record<string, 'read' | 'write'>): Promise<GitHubStandIn> {
  return startGitHub({
    dataDir: await mkdtemp(join(folder, 'github-')),
    app: { id: APP_ID, slug: 'nereid', key: privateKey, ...(permissions && { permissions }) },
    webhook: { url: 'https://nereid.example/events', secret: 'secret' },
  });
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(main: string, args: readonly string[], changes: Readonly<Record<string, string>>): Promise<Ended> {
  const storage = join(folder, 'storage');
  const file = join(folder, 'server.yaml');
  await writeFile(
    file,
    `repositories: [{ match: acme/* }]
terraform: { sandbox: none, mirror: ${releases.url} }
audit: { to: "file:${folder}/audit.jsonl" }
storage: { deployments: "file:${storage}", plans: "file:${storage}", logs: "file:${storage}" }\n`,
  );
  const env = {
    PATH: process.env['PATH'],
    GITHUB_API_URL: github.apiUrl,
    GITHUB_APP_ID: String(APP_ID),
    GITHUB_APP_PRIVATE_KEY: privateKey,
    ...KEY_VARIABLES,
    ...SEAL_VARIABLES,
    DATA_DIR: join(folder, 'data'),
    WORK_DIR: join(folder, 'work'),
    NEREID_CONFIG: file,
    TEMPORAL_ADDRESS: environment.address,
    TEMPORAL_NAMESPACE: environment.namespace,
    // Nothing listens on the port that is reserved for "discard".
    WORKER_ADDRESS: '127.0.0.1:9',
    ...changes,
  };
  const path = fileURLToPath(new URL(main, import.meta.url));
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [path, ...args], { env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

async function diagnosed(changes: Readonly<Record<string, string>> = {}) {
  const { code, stdout } = await run('main.ts', ['--json'], changes);
  const { examined } = JSON.parse(stdout) as Diagnosis;
  const outcomes = Object.fromEntries(examined.map(({ name, outcome }) => [name, outcome]));
  const found = (name: string) => examined.filter((each) => each.name === name).map((each) => each.found);
  return { code, outcomes, found };
}

test('a worker that can work is told so, and nothing is left behind', async () => {
  const { code, outcomes } = await diagnosed();

  expect(outcomes).toMatchObject({
    configuration: 'ok',
    keys: 'ok',
    temporal: 'ok',
    'github: app': 'ok',
    'github: installations': 'ok',
    clock: 'ok',
    'storage: deployments': 'ok',
    'storage: plans': 'ok',
    'storage: logs': 'ok',
    audit: 'ok',
    notifications: 'skip',
    'data folder': 'ok',
    'work folder': 'ok',
    git: 'ok',
    sandbox: 'warn',
  });
  expect(Object.values(outcomes)).not.toContain('fail');
  expect(code).toBe(0);
  expect(await readdir(folder)).not.toEqual(expect.arrayContaining(['data']));
});

test('a wrong configuration is told whole, and Temporal is looked at all the same', async () => {
  const { code, outcomes, found } = await diagnosed({
    PLAN_KEY: Buffer.alloc(16, 7).toString('base64'),
    WORKER_ROLES: 'everything',
  });

  expect(found('configuration')).toEqual([
    expect.stringMatching(/^WORKER_ROLES: expected /),
    expect.stringMatching(/^PLAN_KEY: expected base64 of 32 bytes, /),
  ]);
  expect(outcomes).toMatchObject({ temporal: 'ok', 'everything else': 'skip' });
  expect(code).toBe(1);
});

test('what is wrong around it is told: Temporal, keys, the folder of another worker', async () => {
  const data = join(folder, 'taken');
  const holder = await openDataDir(data);

  const { code, found } = await diagnosed({
    TEMPORAL_NAMESPACE: 'nowhere',
    ORDERS_PUBLIC_KEY: createKeyPair().publicKey,
    DATA_DIR: data,
  });
  holder.close();

  expect(found('temporal')).toEqual([
    expect.stringMatching(
      /^TEMPORAL_NAMESPACE: expected the namespace nowhere at .*, found: Namespace nowhere is not /,
    ),
  ]);
  expect(found('keys')).toEqual([expect.stringContaining('expected ORDERS_PUBLIC_KEY to have the public half')]);
  expect(found('data folder')).toEqual([expect.stringContaining(`found that another worker uses ${data}`)]);
  expect(code).toBe(1);
});

test('a worker that could not work does not start: it says everything that is wrong, without a stack trace', async () => {
  const narrow = await startStandIn({ metadata: 'read', checks: 'read', contents: 'read', issues: 'read' });
  await mkdir(join(folder, 'a-file')).catch(() => undefined);
  await writeFile(join(folder, 'a-file', 'file'), '');

  const ended = await run('../main.ts', [], {
    GITHUB_API_URL: narrow.apiUrl,
    WORK_DIR: join(folder, 'a-file', 'file', 'work'),
  });
  await narrow.close();

  expect(ended.code).toBe(2);
  expect(ended.stderr).toBe(`the configuration must be fixed:
  WORK_DIR: expected a folder that this worker can write at ${folder}/a-file/file/work, found a file there (ENOTDIR); give it to the user of this process on a disk that has room and can be written, or choose another
  GITHUB_APP_ID: expected the App nereid to have all permissions and events that it needs, found it without Checks: write, Pull requests: write; grant them on the page of the App
`);
});

test('an operator reads a sentence where a record cannot be read, and no stack trace', async () => {
  const lanes = join(folder, 'storage', 'lanes', 'acme', 'infra');
  await mkdir(lanes, { recursive: true });
  await writeFile(join(lanes, 'network.json'), '{ "version"');

  const { code, stderr } = await run('../operator/main.ts', ['status', 'acme/infra/network'], {});

  expect(stderr).toMatch(/^the record lanes\/acme\/infra\/network\.json is broken: .*\n$/);
  expect(code).toBe(1);
});
