import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { folderOfThisFile } from '@nereid/test-kit/folders';

const folder = folderOfThisFile();
beforeAll(async () => {
  const storage = `{ deployments: "file:${folder}", plans: "file:${folder}", logs: "file:${folder}" }`;
  await writeFile(
    join(folder, 'server.yaml'),
    `repositories: [{ match: acme/* }]\nstorage: ${storage}\nconsole: { login: local }\n`,
  );
});

test('a wrong configuration is told whole, without a stack trace, and ends the process with 2', async () => {
  const process = start({ CONSOLE_ADDRESS: 'here', GITHUB_API_URL: 'maybe' });

  const [told, code] = await Promise.all([text(process.stderr ?? neverHappens()), exitCode(process)]);

  expect(code).toBe(2);
  expect(told).toContain('CONSOLE_ADDRESS');
  expect(told).toContain('GITHUB_API_URL');
  expect(told).not.toContain('    at ');
});

test('storage that refuses keeps it from starting, with what to do; storage that is away does not', async () => {
  const refusing = createServer((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code></Error>');
  }).listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const { port } = refusing.address() as AddressInfo; // It listens on TCP.
  const s3 = `{ endpoint: "http://127.0.0.1:${port}", region: eu-central-1 }`;
  const storage = `{ deployments: "s3://records", plans: "s3://plans", logs: "file:${folder}", s3: ${s3} }`;
  const file = join(folder, 'refused.yaml');
  await writeFile(file, `repositories: [{ match: acme/* }]\nstorage: ${storage}\nconsole: { login: local }\n`);
  const variables = { NEREID_CONFIG: file, AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' };

  const process = start({ ...variables, CONSOLE_ADDRESS: '127.0.0.1:0', TEMPORAL_ADDRESS: '127.0.0.1:9' });
  const [told, code] = await Promise.all([text(process.stderr ?? neverHappens()), exitCode(process)]);
  refusing.close();
  await once(refusing, 'close');
  const another = start({ ...variables, CONSOLE_ADDRESS: '127.0.0.1:0', TEMPORAL_ADDRESS: '127.0.0.1:9' });
  const address = await listeningAddress(another);
  another.kill('SIGTERM');

  expect([code, told]).toEqual([
    2,
    `the configuration must be fixed:
  storage.deployments: cannot list all objects: expected permission to list in the bucket records, found a refusal (AccessDenied); give this process the permissions that apps/docs/guides/storage-credentials.md lists
`,
  ]);
  expect(address).toMatch(/^127/);
  await exitCode(another);
});

test('starts without Temporal, answers, and stops when it is told to', async () => {
  const process = start({ CONSOLE_ADDRESS: '127.0.0.1:0', TEMPORAL_ADDRESS: '127.0.0.1:9' });
  const address = await listeningAddress(process);

  const health = await fetch(`http://${address}/healthz`);
  process.kill('SIGTERM');
  const code = await exitCode(process);

  expect(health.status).toBe(200);
  expect(code).toBe(0);
});

test('shows its metrics where it is told to', async () => {
  const process = start({ CONSOLE_ADDRESS: '127.0.0.1:0', METRICS_ADDRESS: '127.0.0.1:0' });
  const address = await listeningAddress(process, 'metrics');

  const metrics = await fetch(`http://${address}/metrics`);
  const shown = await metrics.text();
  process.kill('SIGTERM');
  await exitCode(process);

  expect(shown).toContain('# TYPE process_cpu_seconds_total ');
});

function start(variables: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [new URL('main.ts', import.meta.url).pathname], {
    env: { NEREID_CONFIG: join(folder, 'server.yaml'), NODE_NO_WARNINGS: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function exitCode(process: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => process.once('exit', resolve));
}

/** From the line of the log that says so. */
async function listeningAddress({ stdout }: ChildProcess, of: 'address' | 'metrics' = 'address'): Promise<string> {
  for await (const line of createInterface({ input: stdout ?? neverHappens() })) {
    const address = new RegExp(`"${of}":"(?<address>[^"]+)"`).exec(line)?.groups?.['address'];
    if (address !== undefined) return address;
  }
  throw new Error('expected the console to say where it listens, found the end of its log');
}

function neverHappens(): never {
  throw new Error('expected a process with pipes');
}
