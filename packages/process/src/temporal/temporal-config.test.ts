import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { EnvironmentRecord } from '@nereid/config';
import { createTestAuthority } from '@nereid/test-kit';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { readTemporalConfig } from './temporal-config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

const folder = folderOfEachTest();

describe('Temporal’s variables', () => {
  test('name the server and the namespace; without them, the usual ones of this machine', () => {
    expect(configOf({})).toMatchObject({ namespace: 'default', server: { address: '127.0.0.1:7233' } });
    expect(configOf({ TEMPORAL_ADDRESS: 'a:1', TEMPORAL_NAMESPACE: 'n' })).toMatchObject({
      namespace: 'n',
      server: { address: 'a:1' },
    });
  });

  test('give certificates in files, for both kinds of connections', async () => {
    const authority = await createTestAuthority();
    const { certificate, key } = await authority.issue();

    const { server, connection } = configOf({
      TEMPORAL_TLS_SERVER_NAME: 'temporal.example',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileWith('ca.pem', authority.certificate),
      TEMPORAL_TLS_CLIENT_CERT_PATH: fileWith('client.pem', certificate),
      TEMPORAL_TLS_CLIENT_KEY_PATH: fileWith('client-key.pem', key),
    });

    expect(server.tls).toMatchObject({
      serverNameOverride: 'temporal.example',
      serverRootCACertificate: Buffer.from(authority.certificate),
      clientCertPair: { crt: Buffer.from(certificate), key: Buffer.from(key) },
    });
    expect(connection.tls).toEqual(server.tls);
  });

  test('give the API key itself, or a file with it', () => {
    expect(configOf({ TEMPORAL_API_KEY: 'k' }).server.apiKey).toBe('k');
    expect(configOf({ TEMPORAL_API_KEY_FILE: fileWith('api-key', 'k\n') }).server.apiKey).toBe('k');
  });

  test('that cannot be used are problems with a sentence', () => {
    const wrong = fileWith('wrong.pem', 'no certificate');

    expect(problemsOf({ TEMPORAL_PROFILE: 'absent' })).toEqual([
      "TEMPORAL_*: Profile 'absent' not found in config data",
    ]);
    expect(problemsOf({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: wrong })).toEqual([
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH: something else',
    ]);
    expect(problemsOf({ PAYLOAD_KEY: 'short', TEMPORAL_API_KEY_FILE: '/nowhere' })).toEqual([
      'PAYLOAD_KEY: something else (not shown)',
      'TEMPORAL_API_KEY: nothing at "/nowhere"',
    ]);
  });
});

describe('the keys of payloads', () => {
  test('seal failures too, which takes a converter of the SDK', () => {
    expect(configOf({}).dataConverter.failureConverterPath).toBeUndefined();
    expect(configOf({ PAYLOAD_KEY: KEY }).dataConverter.failureConverterPath).toMatch(/sealed-failures\.ts$/);
    expect(configOf({ PAYLOAD_KEY: `none\n${KEY}` }).dataConverter.failureConverterPath).toBeUndefined();
  });

  test('are never shown', () => {
    expect(JSON.stringify(configOf({ PAYLOAD_KEY: KEY }))).not.toContain(KEY);
  });
});

function configOf(record: EnvironmentRecord) {
  const read = readTemporalConfig(record);
  if (read.kind === 'ok') return read.config;
  throw new Error(read.problems[0]?.message);
}

/** What was found, with its variable. */
function problemsOf(record: EnvironmentRecord): readonly string[] {
  const read = readTemporalConfig(record);
  if (read.kind === 'ok') throw new Error('expected problems');
  return read.problems.map(({ path, message }) => `${path}: ${/found:? (?<found>[^;]*)/.exec(message)?.[1] ?? ''}`);
}

function fileWith(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
