/** What somebody gets wrong around a worker: the doctor and the start find the same, and say what to do about it. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConfigurationError } from '@nereid/config';
import { diagnose } from '@nereid/doctor';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { pino } from 'pino';
import { readConfig } from '../platform/config/config.ts';
import { KEY_VARIABLES, SEAL_VARIABLES } from '../testing/test-signatures.ts';
import { openChecks } from './open-checks.ts';
import { requireUsable } from './require-usable.ts';

/** By the bucket of the request, as Amazon answers. */
const REFUSALS: Readonly<Record<string, { readonly status: number; readonly code: string; readonly region?: string }>> =
  {
    elsewhere: { status: 301, code: 'PermanentRedirect', region: 'us-east-1' },
    outdated: { status: 400, code: 'ExpiredToken' },
    missing: { status: 404, code: 'NoSuchBucket' },
    closed: { status: 403, code: 'AccessDenied' },
    // Of others than GET.
    'read-only': { status: 403, code: 'AccessDenied' },
  };
const EMPTY_LIST = '<ListBucketResult><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>';
const NO_KEY = '<Error><Code>NoSuchKey</Code><Message>No.</Message></Error>';
const NO_TOPIC = `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>NotFound</Code>
<Message>Topic does not exist</Message></Error><RequestId>1</RequestId></ErrorResponse>`;

const BEHIND_MS = 90_000;

const folder = folderOfThisFile();
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(({ url: path = '', method }, response) => {
    response.sendDate = false;
    if (method === 'POST') answer(response, 404, NO_TOPIC);
    else if (method === 'GET' && path.startsWith('/read-only')) answerRead(path, response);
    else answerOther(path.split(/[/?]/)[1] ?? '', response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on TCP.
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'the secret of the key' });
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A bucket, or GitHub, whose clock is right. */
function answerOther(name: string, response: ServerResponse): void {
  const refusal = REFUSALS[name];
  if (refusal === undefined) {
    response.setHeader('date', new Date(Date.now() + BEHIND_MS).toUTCString());
    answer(response, 401, '{"message":"Bad credentials"}', 'application/json');
    return;
  }
  if (refusal.region !== undefined) response.setHeader('x-amz-bucket-region', refusal.region);
  answer(response, refusal.status, `<Error><Code>${refusal.code}</Code><Message>No.</Message></Error>`);
}

function answerRead(path: string, response: ServerResponse): void {
  const isList = path.includes('list-type=2');
  answer(response, isList ? 200 : 404, isList ? EMPTY_LIST : NO_KEY);
}

function answer(response: ServerResponse, status: number, body: string, type = 'application/xml'): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

const SENTENCES = {
  region:
    /expected the bucket elsewhere in the configured region, found it in us-east-1 \(PermanentRedirect\); correct storage\.s3\.region and storage\.s3\.endpoint/,
  expired:
    /expected credentials that are valid for the bucket outdated, found expired or unknown ones \(ExpiredToken\); renew them/,
  missing: /expected the bucket missing, found none of this name \(NoSuchBucket\); create it, or correct the URL/,
  permission: /expected permission to \w+ in the bucket closed, found a refusal \(AccessDenied\); give this process/,
  writing: /^storage\.\w+: .*expected permission to write in the bucket read-only, found a refusal \(AccessDenied\)/,
  topic:
    /expected the topic arn:aws:sns:eu-west-1:123456789012:none, found none of this name \(NotFound\w*\); create it/,
  clock:
    /expected the clock of this machine to be right, found it [89]\d\.\d s behind GitHub; set it, and keep it right/,
};

test('a region, credentials, a bucket, a topic, a clock: each has its sentence, in the doctor and at the start', async () => {
  const wrong = await aWorker(['elsewhere', 'outdated', 'missing']);

  const [said, refused] = [await saidBy(wrong), await refusedBy(wrong)];

  for (const sentence of [SENTENCES.region, SENTENCES.expired, SENTENCES.missing, SENTENCES.topic, SENTENCES.clock]) {
    expect(said).toContainEqual(expect.stringMatching(sentence));
    expect(refused).toContainEqual(expect.stringMatching(sentence));
  }
  expect(refused).toHaveLength(5);
  expect([...said, ...refused].join()).not.toMatch(/the secret of the key|\n {4}at /);
});

test('a permission that is missing has its sentence, too', async () => {
  const closed = await aWorker(['closed', 'closed', 'closed']);

  for (const sentences of [await saidBy(closed), await refusedBy(closed)])
    expect(sentences.filter((each) => SENTENCES.permission.test(each))).toHaveLength(3);
});

test.each([
  ['control,terraform', ['deployments', 'plans', 'logs']],
  // It has no key of plans, and only reads logs.
  ['control', ['deployments']],
])('an identity that may list but not write keeps a worker of the roles %s from starting', async (roles, names) => {
  const reading = await aWorker(['read-only', 'read-only', 'read-only']);

  const refused = await refusedBy({ ...reading, WORKER_ROLES: roles });

  const found = refused.filter((each) => SENTENCES.writing.test(each)).map((each) => each.split(':')[0]);
  expect(found).toEqual(names.map((name) => `storage.${name}`));
  expect(refused.filter((each) => each.startsWith('storage.'))).toHaveLength(names.length);
});

/** Its environment. */
async function aWorker(buckets: readonly [string, string, string]): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, `${buckets[0]}.yaml`);
  const [deployments, plans, logs] = buckets.map((name) => `"s3://${name}/nereid"`);
  await writeFile(
    file,
    `repositories: [{ match: acme/* }]
terraform: { sandbox: none, downloads: false }
audit: { to: "sns:arn:aws:sns:eu-west-1:123456789012:none", sns: { endpoint: "${url}" } }
storage: { deployments: ${deployments}, plans: ${plans}, logs: ${logs}, s3: { endpoint: "${url}", region: eu-west-1, path_style: true } }\n`,
  );
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    ...KEY_VARIABLES,
    ...SEAL_VARIABLES,
    PLAN_KEY: Buffer.alloc(32, 7).toString('base64'),
    LINK_KEY: 'l'.repeat(44),
    CONSOLE_URL: 'https://nereid.example.org',
    GITHUB_API_URL: url,
    GITHUB_APP_ID: '7',
    GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    NEREID_CONFIG: file,
    DATA_DIR: join(folder, 'data'),
    WORK_DIR: join(folder, 'work'),
    // Nobody listens there.
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    PATH: process.env['PATH'] ?? '',
  };
}

async function saidBy(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { examined } = await diagnose('worker', openChecks(environment));
  return examined.filter(({ outcome }) => outcome === 'fail').map(({ found, remedy = '' }) => `${found}; ${remedy}`);
}

async function refusedBy(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  try {
    await requireUsable(readConfig(environment, false), pino({ enabled: false }));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}
