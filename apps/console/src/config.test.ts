import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKeyPair } from '@nereid/signature';
import { readConfig } from './config.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nereid-console-'));
  await writeFile(join(folder, 'server.yaml'), SERVER_FILE);
  await writeFile(join(folder, 'local.yaml'), `${SERVER_FILE}console: { login: local }\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const LINK_KEY = Buffer.alloc(32, 5).toString('base64');

const SERVER_FILE = `
repositories: [{ match: acme/* }]
storage: { deployments: "file:/tmp/nereid", plans: "file:/tmp/nereid", logs: "file:/tmp/nereid" }
`;

describe('the console starts', () => {
  test('for those who have a link, with the key that the workers have', () => {
    const config = readConfig(environment({ LINK_KEY }), false);

    expect(config.access.kind).toBe('link');
    expect(config.address).toEqual({ host: '127.0.0.1', port: 4144 });
    expect(config.githubUrl).toBe('https://github.com');
    expect(config.log.format).toBe('json');
  });

  test('without any login on a loopback address', () => {
    const config = readConfig(locally({ CONSOLE_ADDRESS: '[::1]:0' }), false);

    expect(config.access.kind).toBe('local');
  });

  test('with the pages of an Enterprise Server where its API is', () => {
    const config = readConfig(environment({ LINK_KEY, GITHUB_API_URL: 'https://ghe.example/api/v3' }), false);

    expect(config.githubUrl).toBe('https://ghe.example');
  });
});

describe('the console refuses to start', () => {
  test.each([
    ['without a key for links', {}, 'LINK_KEY'],
    ['with a key for links that can be guessed', { LINK_KEY: 'secret' }, 'LINK_KEY'],
    ['where nobody could read', { CONSOLE_LOG_LINKS: 'login', LINK_KEY }, 'CONSOLE_LOG_LINKS'],
    ['with an address that is none', { LINK_KEY, CONSOLE_ADDRESS: 'here' }, 'CONSOLE_ADDRESS'],
  ])('%s', (_name, variables, variable) => {
    expect(() => readConfig(environment(variables), false)).toThrow(variable);
  });

  test('with the login of this machine on an address that others reach', () => {
    expect(() => readConfig(locally({ CONSOLE_ADDRESS: '0.0.0.0:4144' }), false)).toThrow('CONSOLE_ADDRESS');
  });

  test('with one of the two keys of requests', () => {
    const { privateKey: CONSOLE_KEY } = createKeyPair();

    expect(() => readConfig(locally({ CONSOLE_KEY }), false)).toThrow('CONTROL_SEAL_PUBLIC_KEY');
  });

  test('naming every problem at once', () => {
    const broken = environment({ CONSOLE_ADDRESS: 'here', LOG_LEVEL: 'loud', TEMPORAL_UI_URL: 'x' });

    expect(() => readConfig(broken, false)).toThrow(/CONSOLE_ADDRESS[^]*TEMPORAL_UI_URL[^]*LOG_LEVEL[^]*LINK_KEY/);
  });
});

function locally(variables: Readonly<Record<string, string>>) {
  return environment({ NEREID_CONFIG: join(folder, 'local.yaml'), ...variables });
}

function environment(variables: Readonly<Record<string, string>>) {
  return { NEREID_CONFIG: join(folder, 'server.yaml'), ...variables };
}
