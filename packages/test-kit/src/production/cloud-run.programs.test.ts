/** The files for Cloud Run agree with the processes, with each other and with their guide. */
import { describe, expect, test } from '@jest/globals';
import { hostGraceMs, readServerConfig } from '@nereid/config';
import { runCommand } from '@nereid/subprocess';
import path from 'node:path';
import { parse } from 'yaml';
import { CLOUD_RUN, readCloudRunService } from './cloud-run.ts';
import { parseDockerfile } from './dockerfile.ts';
import { DOCKERFILE } from './images/image-folder.ts';
import { REPOSITORY, readRepositoryFile } from '../repository.ts';
import { readersOfVariables, withoutFile } from './variables.ts';

/** Its library reads it. */
const GOOGLES_OWN = 'GOOGLE_APPLICATION_CREDENTIALS';

describe.each(['gateway', 'console'] as const)('the service of the %s', (name) => {
  test('has only variables that the process reads', async () => {
    const { container } = await readCloudRunService(name);

    const variables = container.env?.map((each) => each.name) ?? [];
    const readers = await readersOfVariables();
    for (const variable of variables)
      expect([variable, readers.get(withoutFile(variable))]).toEqual([
        variable,
        expect.stringMatching(new RegExp(`all|${name}`)),
      ]);
  });

  test('has a file for each variable that names one, and a variable for each file', async () => {
    const { container, files } = await readCloudRunService(name);

    const named = container.env?.flatMap(({ value = '' }) => (/^\/(run|etc)\//.test(value) ? [value] : [])) ?? [];
    expect(named.toSorted()).toEqual([...files.values()].toSorted());
    for (const [secret, file] of files) expect(secret).toBe(secretOf(path.basename(file)));
  });

  test('gets in the guide exactly the secrets that it reads', async () => {
    const { files } = await readCloudRunService(name);

    expect((await givenTo(name)).map(secretOf).toSorted()).toEqual([...files.keys()].toSorted());
  });

  test('listens where Cloud Run sends requests, and is reached by the load balancer only', async () => {
    const { container, annotations } = await readCloudRunService(name);
    const stage = parseDockerfile(await readRepositoryFile(DOCKERFILE)).get(name);

    const port = stage?.instructions.find(({ verb }) => verb === 'EXPOSE')?.rest;
    expect(container.ports.map(({ containerPort }) => String(containerPort))).toEqual([port]);
    expect(annotations['run.googleapis.com/ingress']).toBe('internal-and-cloud-load-balancing');
  });
});

test('the processes accept the server’s file, which keeps objects at Google', async () => {
  const read = readServerConfig(await readRepositoryFile(`${CLOUD_RUN}/nereid.server.yaml`));

  expect(read).toMatchObject({ kind: 'ok', config: { storage: { plans: 'gs://acme-nereid/plans' } } });
});

test('somebody may drain hosts, as the guide has it before each upgrade of a machine', async () => {
  const read = readServerConfig(await readRepositoryFile(`${CLOUD_RUN}/nereid.server.yaml`));

  expect(read).toMatchObject({ kind: 'ok', config: { console: { operators: [{ login: 'ada' }] } } });
});

test('only the gateway does without CPU between requests', async () => {
  const throttled = await Promise.all(
    (['gateway', 'console'] as const).map(async (name) => (await readCloudRunService(name)).annotations),
  );

  expect(throttled.map((each) => each['run.googleapis.com/cpu-throttling'])).toEqual(['true', 'false']);
});

describe('the machines of workers', () => {
  test('have only variables that a worker reads, and a file for each that names one', async () => {
    const text = await readRepositoryFile(`${CLOUD_RUN}/workers.cloud-init.yaml`);
    const readers = await readersOfVariables();

    const set = Array.from(
      text.matchAll(/--env ([A-Z_]+)=(\S+)/g),
      ([, name = '', value = '']) => [name, value] as const,
    );
    expect(set.length).toBeGreaterThan(10);
    for (const [name] of set.filter(([each]) => each !== GOOGLES_OWN))
      expect(readers.get(withoutFile(name))).toMatch(/all|worker/);
    const files = set.flatMap(([, value]) => (value.startsWith('/run/secrets/') ? [path.basename(value)] : []));
    const fetched = (/for file in ((?:[^;]|\n)*); do/.exec(text)?.[1] ?? '').split(/[\s\\]+/);
    expect(files.toSorted()).toEqual(fetched.toSorted());
    expect((await givenTo('worker')).toSorted()).toEqual(fetched.toSorted());
  });

  test('give the container what sandboxes need, and nothing else', async () => {
    const text = await readRepositoryFile(`${CLOUD_RUN}/workers.cloud-init.yaml`);

    const options = Array.from(text.matchAll(/--security-opt (\S+)/g), ([, option]) => option);
    expect(options).toEqual([
      'no-new-privileges:true',
      'seccomp=/run/nereid/worker-seccomp.json',
      'apparmor=unconfined',
      'systempaths=unconfined',
    ]);
    expect(text).toContain('--cap-drop ALL --read-only ');
    const writable = Array.from(text.matchAll(/--volume (\S+?):(\S+)(?= )/g), ([, , inside]) => inside);
    expect(writable.filter((each) => each?.endsWith(':ro') === false)).toEqual(['/var/lib/nereid', '/tmp']);
  });

  test('are given the time that a worker takes to stop what runs', async () => {
    const text = await readRepositoryFile(`${CLOUD_RUN}/workers.cloud-init.yaml`);
    const read = readServerConfig(await readRepositoryFile(`${CLOUD_RUN}/nereid.server.yaml`));

    const graceMinutes = (read.kind === 'ok' ? hostGraceMs(read.config) : 0) / 60_000;
    expect(text).not.toContain('SHUTDOWN_GRACE');
    expect(text).toContain(`docker stop --time ${60 * (graceMinutes + 1)} `);
    expect(text).toContain(`TimeoutStopSec=${graceMinutes + 2}min\n`);
  });

  test('run a script that the shell can read', async () => {
    const { write_files: files } = parse(await readRepositoryFile(`${CLOUD_RUN}/workers.cloud-init.yaml`)) as {
      readonly write_files: readonly { readonly path: string; readonly content: string }[];
    };
    const input = files.find((file) => file.path.endsWith('.sh'))?.content ?? '';

    const result = await runCommand({ argv: ['bash', '-n'], input, env: { PATH: '/usr/bin:/bin' }, cwd: REPOSITORY });

    expect([input.length > 0, result]).toMatchObject([true, { kind: 'exited', exitCode: 0, stderr: '' }]);
  });
});

/** The files that the guide lets a process read. */
async function givenTo(process: string): Promise<readonly string[]> {
  const guide = await readRepositoryFile('apps/docs/guides/cloud-run.md');
  const [, files = ''] = new RegExp(`^give ${process} ((?:[^\\n]*\\\\\\n)*[^\\n]*)`, 'm').exec(guide) ?? [];
  return files.split(/[\s\\]+/);
}

const secretOf = (file: string) => `nereid-${file.replaceAll('.', '-')}`;
