import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { aPush } from './events/payload.fixture.ts';
import { answerOf, deliver } from './gateway.fixture.ts';
import { gatewayEnvironment, startGatewayProcess, type GatewayProcess } from './process.fixture.ts';

const SERVER = `repositories: [{ match: Codertocat/* }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
`;

const folder = folderOfEachTest();
let file: string;
let gateway: GatewayProcess | undefined;

beforeEach(() => {
  file = join(folder, 'nereid.server.yaml');
  writeFileSync(file, SERVER);
});

afterEach(() => {
  gateway?.child.kill('SIGKILL');
});

describe('a gateway that cannot be what it is configured to be', () => {
  test('says everything that is wrong, without a stack trace, and exits 2', async () => {
    writeFileSync(file, `${SERVER}comment_nam: x\n`);
    gateway = startGatewayProcess({
      NEREID_CONFIG: file,
      GATEWAY_ADDRESS: 'nowhere',
      GITHUB_APP_ID: 'nereid',
      LOG_LEVEL: 'loud',
      TEMPORAL_PROFILE: 'absent',
    });

    expect(await gateway.ended()).toEqual({
      code: 2,
      stderr: `the configuration must be fixed:
  GATEWAY_ADDRESS: expected host:port, like 127.0.0.1:4143, found "nowhere"
  GITHUB_WEBHOOK_SECRET: expected a value in GITHUB_WEBHOOK_SECRET or in the file named by GITHUB_WEBHOOK_SECRET_FILE, found nothing; set it
  GATEWAY_KEY: expected a value in GATEWAY_KEY or in the file named by GATEWAY_KEY_FILE, found nothing; set it
  GITHUB_APP_ID: expected a whole number from 1 to 999999999999, found "nereid"
  LOG_LEVEL: expected one of "trace", "debug", "info", "warn", "error", "fatal", found "loud"
  TEMPORAL_*: expected settings that Temporal's client can use, found: Profile 'absent' not found in config data; correct them or leave them out
  ${file}:3:1 comment_nam: expected a known key, found "comment_nam"; did you mean "comment_name"?
`,
    });
  });

  test('because its address is taken says so and exits 2', async () => {
    gateway = startGatewayProcess(environment({ METRICS_ADDRESS: '127.0.0.1:0' }));
    const { address } = await gateway.logged('listening');

    const second = startGatewayProcess(environment({ GATEWAY_ADDRESS: String(address) }));

    expect(await second.ended()).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^the configuration must be fixed:\n {2}GATEWAY_ADDRESS: .*EADDRINUSE.*\n$/),
    });
  });
});

describe('a gateway whose Temporal is away', () => {
  test('starts, is alive, is not ready, and answers 503', async () => {
    const url = await start();

    const [healthz, readyz, webhook] = await Promise.all([
      fetch(`${url}/healthz`),
      fetch(`${url}/readyz`),
      deliver(url, 'push', aPush()),
    ]);

    expect([healthz.status, readyz.status, webhook.status]).toEqual([200, 503, 503]);
  });
});

describe('signals', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s stops it with exit code 0', async (signal) => {
    await start();

    gateway?.child.kill(signal);

    expect(await gateway?.ended()).toEqual({ code: 0, stderr: '' });
  });

  test('SIGHUP puts a changed server file in force', async () => {
    const url = await start();
    writeFileSync(file, SERVER.replace('Codertocat', 'acme'));

    gateway?.child.kill('SIGHUP');
    await gateway?.logged('configuration reloaded');

    expect(await answerOf(await deliver(url, 'push', aPush()))).toEqual({
      status: 202,
      message: 'ignored: not allowed',
    });
  });

  test('SIGHUP leaves the old file in force when the new one is broken: the log and a metric say so', async () => {
    gateway = startGatewayProcess(environment({ METRICS_ADDRESS: '127.0.0.1:0' }));
    const { metrics } = await gateway.logged('listening');
    writeFileSync(file, 'repositories: [');

    gateway.child.kill('SIGHUP');

    expect(await gateway.logged('configuration broken, the old one stays in force')).toMatchObject({
      problems: [expect.objectContaining({ file })],
    });
    const told = await (await fetch(`http://${String(metrics)}/metrics`)).text();
    expect(told).toContain('nereid_server_file_outdated 1');
  });
});

test('metrics are on a port of their own, and tell that Temporal is away', async () => {
  gateway = startGatewayProcess(environment({ METRICS_ADDRESS: '127.0.0.1:0' }));
  const { address, metrics } = await gateway.logged('listening');

  const response = await fetch(`http://${String(metrics)}/metrics`);

  const text = await response.text();
  expect(text).toContain('nereid_webhooks_total');
  expect(text).toContain('nereid_temporal_reachable 0');
  expect((await fetch(`http://${String(address)}/metrics`)).status).toBe(404);
});

async function start(): Promise<string> {
  gateway = startGatewayProcess(environment());
  const { address } = await gateway.logged('listening');
  return `http://${String(address)}`;
}

function environment(others: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...gatewayEnvironment(file), ...others };
}
