import { expect, test } from '@jest/globals';
import { ConfigurationError } from '../../environment/configuration-error.ts';
import { readEnv } from '../../environment/environment.ts';
import { formatProblem } from '../../yaml/problem.ts';
import { readServerConfig } from '../read-server-config.ts';
import type { ServerConfig } from '../server-config.ts';
import { STORAGE_VARIABLES, storageAccess, storageProblems } from './storage-access.ts';

const KEY = Buffer.alloc(64, 7).toString('base64');

function withStorage(storage: string) {
  return readServerConfig(`repositories: [{ match: acme/a }]\nstorage: ${storage}\n`);
}

function configWith(storage: string): ServerConfig {
  const read = withStorage(storage);
  if (read.kind === 'invalid') throw new ConfigurationError(read.problems);
  return read.config;
}

function linesOf(read: ReturnType<typeof readServerConfig>): readonly string[] {
  return read.kind === 'invalid' ? read.problems.map((problem) => formatProblem(problem)) : [];
}

test('storage is in any of three clouds or in a folder, and what differs from the usual addresses is a setting', () => {
  const { storage } = configWith(
    `{ deployments: "gs://acme_nereid.b/records/", plans: "az://acme/plans/p", logs: "s3://abc",
       gs: { endpoint: "https://storage.internal" }, az: { endpoint: "https://{account}.blob.core.usgovcloudapi.net" } }`,
  );

  expect(storage).toEqual({
    deployments: 'gs://acme_nereid.b/records',
    plans: 'az://acme/plans/p',
    logs: 's3://abc',
    s3: { pathStyle: false },
    gs: { endpoint: 'https://storage.internal' },
    az: { endpoint: 'https://{account}.blob.core.usgovcloudapi.net' },
  });
});

const NO_BUCKET =
  /expected the name of a bucket behind "..:\/\/": .* lower-case letters, .*, found "..:.*"; name one that exists$/;
const NO_CONTAINER =
  /expected an account and a container behind "az:\/\/": 3 to 24 lower-case letters .*, found "az:.*"; name one that exists$/;

test.each([
  ['s3://x', NO_BUCKET],
  ['s3://', NO_BUCKET],
  ['s3://Bucket/p', NO_BUCKET],
  ['s3://a_b/p', NO_BUCKET],
  ['s3://-ab', NO_BUCKET],
  ['s3://a..b', NO_BUCKET],
  ['s3://127.0.0.1', NO_BUCKET],
  [`s3://${'a'.repeat(64)}`, NO_BUCKET],
  ['gs://x', NO_BUCKET],
  ['gs://Bucket', NO_BUCKET],
  ['gs://google-things', NO_BUCKET],
  ['gs://10.0.0.1/p', NO_BUCKET],
  ['az://acme', NO_CONTAINER],
  ['az://acme/', NO_CONTAINER],
  ['az://ac-me/plans', NO_CONTAINER],
  ['az://acme/pl--ans/a', NO_CONTAINER],
  ['az://acme/Plans', NO_CONTAINER],
  ['az://acme.blob.core.windows.net/plans', NO_CONTAINER],
])('%s names no place', (url, line) => {
  const read = withStorage(`{ deployments: "${url}", plans: "s3://abc", logs: "az://acme/a-b/c--d" }`);

  expect(linesOf(read)).toEqual([expect.stringMatching(line)]);
});

test.each([
  [
    'gs: { endpoint: "http://storage.example" }',
    'storage.gs.endpoint: expected an https URL, or an http URL of this machine',
  ],
  [
    'az: { endpoint: "https://blob.example" }',
    'storage.az.endpoint: expected an http or https URL in which {account} stands',
  ],
  [
    'az: { endpoint: "https://{account}.example/?sas=1" }',
    'storage.az.endpoint: expected an http or https URL in which',
  ],
])('the setting %s is refused', (setting, problem) => {
  const read = withStorage(`{ deployments: "file:/d", plans: "file:/p", logs: "file:/l", ${setting} }`);

  expect(linesOf(read)).toEqual([expect.stringContaining(problem)]);
});

test("the file names the emulator of Google and the identity for Azure, and the environment adds the account's key", () => {
  const { storage } = configWith(
    '{ deployments: "gs://abc", plans: "az://acme/plans", logs: "file:/l", gs: { emulator: "http://127.0.0.1:4443/" }, az: { client_id: "id" } }',
  );
  const read = readEnv({ AZURE_STORAGE_KEY: KEY }, STORAGE_VARIABLES);

  if (read.kind === 'invalid') throw new ConfigurationError(read.problems);
  const access = storageAccess(storage, read.values);

  expect(access).toMatchObject({ gs: { emulator: 'http://127.0.0.1:4443/' }, az: { clientId: 'id' } });
  expect(access.az.accountKey?.reveal()).toBe(KEY);
  expect(JSON.stringify(access)).not.toContain(KEY);
});

test('a key of another length is refused without being shown', () => {
  const read = readEnv({ AZURE_STORAGE_KEY: 'c2hvcnQ=' }, STORAGE_VARIABLES);

  expect(read).toEqual({
    kind: 'invalid',
    problems: [{ path: 'AZURE_STORAGE_KEY', message: 'expected base64 of 64 bytes, found something else (not shown)' }],
  });
});

test('an address of Azure without TLS needs the key, because no token is sent there', () => {
  const server = configWith(
    '{ deployments: "az://acme/records", plans: "az://acme/plans", logs: "az://acme/logs", az: { endpoint: "http://azurite:10000/{account}" } }',
  );

  expect(storageProblems({}, server)).toEqual([
    { path: 'AZURE_STORAGE_KEY', message: expect.stringContaining('because no token is sent to storage.az.endpoint') },
  ]);
  expect(storageProblems({ AZURE_STORAGE_KEY: KEY }, server)).toEqual([]);
});
