import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '@nereid/config';
import { createKeyPair } from '@nereid/signature';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { readConfig } from './config.ts';

const folder = folderOfThisFile();
beforeAll(async () => {
  await writeFile(join(folder, 'server.yaml'), SERVER_FILE);
  await writeFile(join(folder, 'local.yaml'), `${SERVER_FILE}console: { login: local }\n`);
});

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

  test.each([
    ['those of check runs open pages as well', '', 1],
    ['where links hold no key, those of before open nothing any more', ', log_links: login', 0],
  ])('the console starts for people who log in: %s', async (_what, more, keys) => {
    const { access, login, trustedProxies } = await configWith(GITHUB.replace(/ \}$/, `${more} }`), {
      ...{ ...GITHUB_VARIABLES, LINK_KEY, CONSOLE_TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' },
    });

    expect([access.kind, 'keys' in access && access.keys.length]).toEqual(['login', keys]);
    expect([login.url, login.sessionKeys.length]).toEqual(['https://console.example', 2]);
    expect(trustedProxies).toEqual(['loopback', '10.0.0.0/8']);
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
    ['with an address that is none', { LINK_KEY, CONSOLE_ADDRESS: 'here' }, 'CONSOLE_ADDRESS'],
  ])('the console does not start %s', (_name, variables, variable) => {
    expect(() => readConfig(environment(variables), false)).toThrow(variable);
  });

  test('with the login of this machine on an address that others reach', () => {
    expect(() => readConfig(locally({ CONSOLE_ADDRESS: '0.0.0.0:4144' }), false)).toThrow('CONSOLE_ADDRESS');
  });

  test('with one of the two keys of requests', () => {
    const { privateKey: CONSOLE_KEY } = createKeyPair();

    expect(() => readConfig(locally({ CONSOLE_KEY }), false)).toThrow('CONTROL_SEAL_PUBLIC_KEY');
  });

  test.each([
    ['github', '{ github: { client_id: Iv23liExample } }', ['CONSOLE_URL', 'GITHUB_CLIENT_SECRET', 'SESSION_KEY']],
    [
      'oidc',
      '{ oidc: { issuer: https://i.example, client_id: nereid } }',
      ['CONSOLE_URL', 'ORDERS_PUBLIC_KEY', 'SESSION_KEY'],
    ],
    [
      'proxy',
      '{ proxy: { header: x-a, issuer: i, audience: a, keys: https://i.example/keys } }',
      ['ORDERS_PUBLIC_KEY'],
    ],
  ])(
    'the console does not start without what a login takes, and names all of it: %s',
    async (mode, login, variables) => {
      const problems = await problemsWith(`console: { login: ${login} }`, {});

      expect(problems.map(({ path }) => path).toSorted()).toEqual(variables);
      for (const { message } of problems)
        expect(message).toMatch(
          new RegExp(`^expected .*because console.login is ${mode} in the server's file, found nothing; `),
        );
    },
  );

  test('where scripts have tokens and nobody says what they may see', async () => {
    const token = `{ name: ci, sha256: ${'a'.repeat(64)}, login: robot, scopes: [read], expires: 2027-01-31 }`;

    const problems = await problemsWith(`console: { tokens: [${token}] }`, { LINK_KEY });

    expect(problems).toEqual([
      expect.objectContaining({
        path: 'ORDERS_PUBLIC_KEY',
        message: expect.stringContaining('console.tokens has tokens'),
      }),
    ]);
  });

  test('where the cookies of a login would go over the network as anybody can read them', async () => {
    const problems = await problemsWith(GITHUB, { ...GITHUB_VARIABLES, CONSOLE_URL: 'http://console.example' });

    expect(problems).toEqual([
      expect.objectContaining({ path: 'CONSOLE_URL', message: expect.stringContaining('expected an https address') }),
    ]);
  });

  test('with proxies that are none', () => {
    const broken = environment({ LINK_KEY, CONSOLE_TRUSTED_PROXIES: '10.0.0.0/8, everybody' });

    expect(() => readConfig(broken, false)).toThrow('CONSOLE_TRUSTED_PROXIES');
  });

  test('naming every problem at once', () => {
    const broken = environment({ CONSOLE_ADDRESS: 'here', LOG_LEVEL: 'loud', GITHUB_API_URL: 'x' });

    expect(() => readConfig(broken, false)).toThrow(/CONSOLE_ADDRESS[^]*GITHUB_API_URL[^]*LOG_LEVEL[^]*LINK_KEY/);
  });
});

const GITHUB = 'console: { login: { github: { client_id: Iv23liExample } } }';

const GITHUB_VARIABLES = {
  CONSOLE_URL: 'https://console.example',
  GITHUB_CLIENT_SECRET: 'secret',
  SESSION_KEY: `${'n'.repeat(32)}\n${'o'.repeat(32)}`,
};

async function configWith(section: string, variables: Readonly<Record<string, string>>) {
  const file = join(folder, 'login.yaml');
  await writeFile(file, `${SERVER_FILE}${section}\n`);
  return readConfig(environment({ NEREID_CONFIG: file, ...variables }), false);
}

async function problemsWith(section: string, variables: Readonly<Record<string, string>>) {
  const error: unknown = await configWith(section, variables).catch((thrown: unknown) => thrown);
  if (error instanceof ConfigurationError) return error.problems;
  throw new Error('expected problems, found none', { cause: error });
}

function locally(variables: Readonly<Record<string, string>>) {
  return environment({ NEREID_CONFIG: join(folder, 'local.yaml'), ...variables });
}

function environment(variables: Readonly<Record<string, string>>) {
  return { NEREID_CONFIG: join(folder, 'server.yaml'), ...variables };
}
