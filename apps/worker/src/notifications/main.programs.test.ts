/** `nereid notify` as a person starts it, with the environment of a control worker. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { openReceiver, status, type Receiver } from '@nereid/test-kit/receiver';
import { KEY_VARIABLES, SEAL_VARIABLES } from '../testing/test-signatures.ts';

const NEREID = join(import.meta.dirname, '../../../cli/src/main.ts');
const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;

const folder = folderOfEachTest();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await openReceiver();
  await writeFile(join(folder, 'secret'), SECRET);
  await writeFile(
    join(folder, 'nereid.server.yaml'),
    `repositories: [{ match: acme/* }]
terraform: { sandbox: none, downloads: false }
storage: { deployments: "file:${folder}/records", plans: "file:${folder}/plans", logs: "file:${folder}/logs" }
notifications: [{ name: ops, kind: webhook, url: "${receiver.url}/hook", secret_file: ${folder}/secret }]
`,
  );
});

afterEach(() => receiver.close());

function notify(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const env = {
    ...{ PATH: process.env['PATH'], ...KEY_VARIABLES, ...SEAL_VARIABLES },
    PLAN_KEY: Buffer.alloc(32, 7).toString('base64'),
    LINK_KEY: 'l'.repeat(44),
    CONSOLE_URL: 'https://nereid.example.org',
    GITHUB_APP_ID: '7',
    GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    NEREID_CONFIG: join(folder, 'nereid.server.yaml'),
    DATA_DIR: join(folder, 'data'),
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [NEREID, 'notify', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr });
    });
  });
}

test('a sample is signed, and its answer is shown', async () => {
  const { code, text } = await notify('test', 'ops');

  expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/^ops took the sample after \d+ ms\n$/) });
  const { headers, body } = receiver.first();
  const sample = new Webhook(SECRET).verify(body, headers as Record<string, string>); // Each once.
  expect(sample).toMatchObject({ type: 'outcome-unknown', links: { page: 'https://nereid.example.org' } });
});

test('a destination that refuses is shown with its answer, and without the secret', async () => {
  receiver.always(status(410, SECRET));

  const { code, text } = await notify('test', 'ops');

  expect(code).toBe(1);
  expect(text).toContain('answered 410');
  expect(text).not.toContain('whsec_');
});

test('the status needs nothing but the records', async () => {
  expect(await notify('status')).toEqual({ code: 0, text: 'ops (webhook), 0 waiting: ops took none yet\n' });
  expect(await notify('test', 'opps')).toMatchObject({ code: 1, text: expect.stringContaining('found opps') });
});
