import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import type { Finding } from '@nereid/doctor';
import { isolationChecks } from './isolation-checks.ts';

let listener: Server;
/** Somebody answers there. */
let here: string;

beforeAll(async () => {
  listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  here = `127.0.0.1:${(listener.address() as AddressInfo).port}`; // It listens on TCP.
});

afterAll(() => void listener.close());

const NOBODY = '127.0.0.1:9';

/** Of a worker with both roles; `at` is the address of Temporal, and of the console. */
async function findingsOf(
  name: string,
  yaml: string,
  at: { readonly temporal?: string; readonly console?: string; readonly path?: string } = {},
) {
  const read = readServerConfig(`${yaml}
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }`);
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems));
  const config = {
    roles: ['control', 'terraform'],
    server: { current: () => read.config },
    temporal: { server: { address: at.temporal ?? NOBODY } },
    links: { consoleUrl: `http://${at.console ?? NOBODY}` },
  } as unknown as Parameters<typeof isolationChecks>[0]; // Nothing else is read.
  const checks = isolationChecks(config, { PATH: at.path ?? process.env['PATH'] });
  const found = await checks.find((check) => check.name === name)?.run(new AbortController().signal);
  return [found].flat() as readonly Finding[];
}

const NAMES = 'repositories: [{ match: acme/* }]';

test('a console that answers in a sandbox is to be looked at, with what to do; Temporal always answers there', async () => {
  const found = await findingsOf('reachable', NAMES, { temporal: here, console: here });

  expect(found.filter(({ found: text }) => !text.includes('metadata'))).toEqual([
    { outcome: 'ok', found: expect.stringContaining('Temporal answers in a sandbox') },
    {
      outcome: 'warn',
      found: `expected that code of repositories does not reach console, found that ${here} answers in a sandbox`,
      remedy: expect.stringContaining('by a network policy'),
    },
  ]);
});

test('without a network nothing answers, also where it would keep a worker from starting', async () => {
  const terraform = 'terraform: { network: none, reachable: refuse }';

  expect(await findingsOf('reachable', `${NAMES}\n${terraform}`, { temporal: here })).toEqual([
    { outcome: 'ok', found: expect.stringMatching(/^none of temporal, console, .* answers in a sandbox$/) },
  ]);
});

test('what keeps a worker from starting has failed, and what nobody wants to know is left out', async () => {
  const [refused] = await findingsOf('reachable', `${NAMES}\nterraform: { reachable: refuse }`, { temporal: here });
  const [off] = await findingsOf('reachable', `${NAMES}\nterraform: { reachable: "off" }`);

  expect(refused).toMatchObject({ outcome: 'fail', found: expect.stringContaining(`temporal (${here})`) });
  expect(off).toMatchObject({ outcome: 'skip' });
});

test('where no sandbox can be made, nobody knows: that keeps only those from working who want to be sure', async () => {
  const path = '/nowhere/at/all';
  const found = expect.stringMatching(/^expected to find out what answers in a sandbox, found: .*bubblewrap/);

  const [warned] = await findingsOf('reachable', NAMES, { path });
  const [failed] = await findingsOf('reachable', `${NAMES}\nterraform: { reachable: refuse }`, { path });

  expect(warned).toMatchObject({ outcome: 'warn', found });
  expect(failed).toMatchObject({ outcome: 'fail', found });
});

test('a rule that is stricter than directories with the same credentials is to be looked at', async () => {
  const entry = 'match: acme/*, roots: { prod: { permissions: { confirm: { not_author: true } } } }';
  const shared = `repositories: [{ ${entry} }]\nterraform: { env_allow: [AWS_*] }`;

  expect(await findingsOf('credentials', shared)).toEqual([
    {
      outcome: 'warn',
      found: expect.stringMatching(
        /^repositories\[0\]\.roots\.prod: expected credentials that only "prod" has, found /,
      ),
      remedy: expect.stringContaining('ask for the same there'),
    },
  ]);
  expect(await findingsOf('credentials', NAMES)).toEqual([
    { outcome: 'ok', found: 'no rule is stricter than directories that have the same credentials' },
  ]);
});
