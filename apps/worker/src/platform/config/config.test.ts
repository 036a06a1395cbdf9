import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '@nereid/config';
import { createKeyPair, createSealKeyPair } from '@nereid/signature';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { keepsPlansInFolder } from './config-problems.ts';
import { readConfig } from './config.ts';
import { secretFilesOf } from '../environment.ts';
import { HOST_VARIABLES, KEY_VARIABLES, SEAL_VARIABLES } from '../../testing/test-signatures.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const OLDER_KEY = Buffer.alloc(32, 6).toString('base64');
const SHORT_KEY = Buffer.alloc(16, 7).toString('base64');
const LINK_KEY = Buffer.alloc(32, 5).toString('base64');
const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs1', format: 'pem' })
  .toString()
  .trimEnd();
const APP = { GITHUB_APP_ID: '7', GITHUB_APP_PRIVATE_KEY: PEM, ...KEY_VARIABLES };
const ELSEWHERE = { CONSOLE_URL: 'https://nereid.example' };

const folder = folderOfThisFile();

beforeAll(async () => {
  await writeFile(join(folder, 'folder.yaml'), serverFile('file:/tmp/nereid'));
  await writeFile(join(folder, 'bucket.yaml'), serverFile('s3://plans'));
  for (const links of ['key', 'login'])
    await writeFile(join(folder, `links-${links}.yaml`), `${serverFile('file:/tmp/nereid')}${consoleWith(links)}`);
});

function consoleWith(links: string): string {
  return `console: { login: { github: { client_id: Iv23liExample } }, log_links: ${links} }\n`;
}

describe('a worker starts', () => {
  test('with an app of github.com alone: both roles, everything of this machine', () => {
    const { server, temporal, ...config } = readConfig(environment(APP), false);

    expect(config).toMatchObject({
      roles: ['control', 'terraform'],
      address: { host: '127.0.0.1', port: 4142 },
      metricsAddress: undefined,
      github: { app: { id: 7 }, apiUrl: 'https://api.github.com', url: 'https://github.com' },
      dataDir: '/var/lib/nereid',
      workDir: '/var/lib/nereid/work',
      planKeys: undefined,
      links: {
        consoleUrl: 'http://127.0.0.1:4144',
        key: undefined,
        keyedRepositories: 'private',
        temporalUiUrl: undefined,
      },
      diskBudgetBytes: 20_000_000_000,
      grace: { hostMs: 63 * 60_000, showMs: 60_000, controlMs: 60_000 },
      sealKeys: { publicKey: undefined, privateKeys: [] },
      unneeded: [],
      log: { level: 'info', format: 'json' },
    });
    expect(config.github.app?.privateKey.reveal()).toBe(PEM);
    expect(temporal).toMatchObject({ namespace: 'default', server: { address: '127.0.0.1:7233' } });
    expect(keepsPlansInFolder(server.current())).toBe(true);
  });

  test('with the paths of the files that hold its secrets', async () => {
    const { POOL_KEY, ...others } = APP;
    const file = join(folder, 'pool-key.pem');
    await writeFile(file, POOL_KEY);
    const shared = { GITHUB_WEBHOOK_SECRET_FILE: '/run/secrets/webhook', TEMPORAL_TLS_CLIENT_KEY_PATH: '/run/key' };

    const config = readConfig(environment({ ...others, POOL_KEY_FILE: file, GATEWAY_KEY_FILE: 'key' }), false);

    expect(config.secretFiles).toEqual([file, join(process.cwd(), 'key')]);
    expect(secretFilesOf(shared)).toEqual(['/run/secrets/webhook', '/run/key']);
  });

  test('with pretty logs on a terminal, and JSON anywhere else', () => {
    expect(readConfig(environment(APP), true).log.format).toBe('pretty');
    expect(readConfig(environment(APP), false).log.format).toBe('json');
  });

  test('with the pages of an Enterprise Server where its API is', () => {
    const apiUrl = 'https://ghe.example/api/v3';

    const { github } = readConfig(environment({ ...APP, GITHUB_API_URL: apiUrl }), false);

    expect(github).toMatchObject({ apiUrl, url: 'https://ghe.example' });
  });

  test('with every secret from a file of its own', async () => {
    const files = {
      GITHUB_APP_PRIVATE_KEY_FILE: await secretFile('app.pem', `${PEM}\n`),
      LINK_KEY_FILE: await secretFile('link', `${LINK_KEY}\n`),
      PLAN_KEY_FILE: await secretFile('plan', `${KEY}\n${OLDER_KEY}\n`),
    };

    const config = readConfig(
      environment({ GITHUB_APP_ID: '7', ...KEY_VARIABLES, ...ELSEWHERE, ...files }, 'bucket.yaml'),
      false,
    );

    expect(config.github.app?.privateKey.reveal()).toBe(PEM);
    expect(config.links.key?.reveal()).toBe(LINK_KEY);
    expect(config.planKeys?.map((key) => key.reveal())).toEqual([KEY, OLDER_KEY]);
  });
});

describe('a worker refuses to start', () => {
  test('naming every problem at once', () => {
    const broken = { WORKER_ROLES: 'control,cook', SHUTDOWN_GRACE: '10', PLAN_KEY: SHORT_KEY, LOG_LEVEL: 'loud' };

    expect(problemsOf(broken).map(({ path }) => path)).toEqual([
      'WORKER_ROLES',
      'PLAN_KEY',
      'SHUTDOWN_GRACE',
      'LOG_LEVEL',
    ]);
  });

  test('naming with them what variables have wrong together, or with the server file', () => {
    const broken = { LOG_LEVEL: 'loud', SHUTDOWN_GRACE: '10', ...ELSEWHERE };

    expect(problemsOf({ ...APP, ...broken }, 'bucket.yaml').map(({ path }) => path)).toEqual([
      'SHUTDOWN_GRACE',
      'LOG_LEVEL',
      'LINK_KEY',
      'PLAN_KEY',
    ]);
  });

  test('naming settings that could not work once it runs', () => {
    const broken = {
      ...{ GITHUB_APP_ID: '7', GITHUB_APP_PRIVATE_KEY: 'pem', LINK_KEY: 'short', TEMPORAL_ADDRESS: 'here' },
      DISK_BUDGET: 'a lot',
    };

    expect(problemsOf(broken).map(({ path }) => path)).toEqual([
      'GITHUB_APP_PRIVATE_KEY',
      'LINK_KEY',
      'DISK_BUDGET',
      'TEMPORAL_ADDRESS',
      'GATEWAY_PUBLIC_KEY',
      'ORDERS_KEY',
      'POOL_KEY',
    ]);
  });

  test('naming those of the server file and of Temporal with them', async () => {
    await writeFile(join(folder, 'broken.yaml'), `${serverFile('file:/tmp/nereid')}extra: 1\n`);
    const broken = { TEMPORAL_PROFILE: 'nowhere', WORKER_ROLES: 'cook' };

    const paths = problemsOf(broken, 'broken.yaml').map(({ path }) => path);

    expect(paths).toEqual(expect.arrayContaining(['WORKER_ROLES', 'TEMPORAL_*', 'extra']));
  });

  test.each([
    ['control', ['GATEWAY_PUBLIC_KEY', 'ORDERS_KEY', 'POOL_PUBLIC_KEY', 'POOL_SEAL_PUBLIC_KEY']],
    ['terraform', ['POOL_KEY', 'ORDERS_PUBLIC_KEY', 'POOL_SEAL_KEY']],
    ['control,terraform', ['GATEWAY_PUBLIC_KEY', 'ORDERS_KEY', 'POOL_KEY']],
  ])('a worker does not start with the role %s and none of its keys', (role, missing) => {
    const app = { GITHUB_APP_ID: '7', ...(role !== 'terraform' && { GITHUB_APP_PRIVATE_KEY: PEM }) };

    expect(problemsOf({ ...app, WORKER_ROLES: role }).map(({ path }) => path)).toEqual(missing);
    expect(messageOf({ ...app, WORKER_ROLES: role })).toContain('make all keys with: nereid keys FOLDER');
  });

  test.each(['control', 'control,terraform'])('a worker does not start with the role %s and no App', (role) => {
    const { GATEWAY_PUBLIC_KEY, ORDERS_KEY, POOL_KEY } = KEY_VARIABLES;
    const keys = { GATEWAY_PUBLIC_KEY, ORDERS_KEY, POOL_KEY, ...SEAL_VARIABLES };

    expect(problemsOf({ ...keys, WORKER_ROLES: role })).toMatchObject([
      { path: 'GITHUB_APP_ID' },
      { path: 'GITHUB_APP_PRIVATE_KEY', message: expect.stringContaining('GITHUB_APP_PRIVATE_KEY_FILE') },
    ]);
  });

  test.each([
    ['POOL_SEAL_KEY', 'a key that signs', KEY_VARIABLES.POOL_KEY],
    ['POOL_SEAL_KEY', 'the public half', SEAL_VARIABLES.POOL_SEAL_PUBLIC_KEY],
    ['POOL_SEAL_PUBLIC_KEY', 'a key that signs', KEY_VARIABLES.GATEWAY_PUBLIC_KEY],
    ['POOL_SEAL_PUBLIC_KEY', 'the private half', SEAL_VARIABLES.POOL_SEAL_KEY],
  ])('a worker does not start with %s that is %s', (name, _what, key) => {
    expect(problemsOf({ ...APP, [name]: key }).map(({ path }) => path)).toEqual([name]);
    expect(messageOf({ ...APP, [name]: key })).not.toContain(key.split('\n')[1]);
  });

  test.each([
    ['a key of another type', PEM],
    ['the public half', KEY_VARIABLES.GATEWAY_PUBLIC_KEY],
  ])('a worker does not start with %s in place of a private one', (_what, key) => {
    expect(problemsOf({ ...APP, ORDERS_KEY: key }).map(({ path }) => path)).toEqual(['ORDERS_KEY']);
    expect(messageOf({ ...APP, ORDERS_KEY: key })).not.toContain(key.split('\n')[1]);
  });

  test('with a secret that is given twice, or in a file that is not there', () => {
    const twice = problemsOf({ ...APP, GITHUB_APP_PRIVATE_KEY_FILE: join(folder, 'app.pem') });
    const nowhere = problemsOf({ ...APP, PLAN_KEY_FILE: join(folder, 'nowhere') });

    expect(twice).toMatchObject([{ path: 'GITHUB_APP_PRIVATE_KEY', message: expect.stringContaining('found both') }]);
    expect(nowhere).toMatchObject([{ path: 'PLAN_KEY', message: expect.stringContaining('found nothing at') }]);
  });

  test('showing no secret', async () => {
    const shown = [
      messageOf({ GITHUB_APP_PRIVATE_KEY: 'private-pem', LINK_KEY: 'link-key', PLAN_KEY: SHORT_KEY }),
      messageOf({ PLAN_KEY_FILE: await secretFile('short', SHORT_KEY), TEMPORAL_API_KEY: 'temporal-key' }),
      messageOf({ ...APP, PLAN_KEY: KEY, LINK_KEY: 'link-key', LINK_KEY_FILE: join(folder, 'link') }),
    ].join('\n');

    expect(shown).toContain('found something else (not shown)');
    for (const secret of ['private-pem', 'link-key', 'temporal-key', SHORT_KEY, KEY]) {
      expect(shown).not.toContain(secret);
    }
  });
});

describe('a worker with pools', () => {
  const keys = { sign: createKeyPair(), seal: createSealKeyPair() };
  const entryOf = (name: string) =>
    `pools: [{ name: ${name}, public_key: ${JSON.stringify(keys.sign.publicKey)}, seal_public_key: ${JSON.stringify(keys.seal.publicKey)} }]\n`;
  const { POOL_KEY: _own, ...ofControl } = { ...APP, WORKER_ROLES: 'control', LINK_KEY };

  test('that is a host of one has its name, and its keys', async () => {
    await writeFile(join(folder, 'pools.yaml'), serverFile('file:/tmp/nereid') + entryOf('prod'));
    const { ORDERS_PUBLIC_KEY } = HOST_VARIABLES;
    const own = { POOL: 'prod', POOL_KEY: keys.sign.privateKey, POOL_SEAL_KEY: keys.seal.privateKey };
    const host = { WORKER_ROLES: 'terraform', ORDERS_PUBLIC_KEY, ...own };

    expect(readConfig(environment(host, 'pools.yaml'), false).pool).toBe('prod');
    expect(readConfig(environment(APP), false).pool).toBe('default');
    expect(problemsOf({ ...host, POOL_KEY: KEY_VARIABLES.POOL_KEY }, 'pools.yaml')).toMatchObject([
      { path: 'POOL_KEY', message: expect.stringContaining('of the pool prod') },
    ]);
    expect(problemsOf({ ...host, POOL: 'prdo' }, 'pools.yaml').map(({ path }) => path)).toEqual(['POOL']);
  });

  test('needs the public halves of default in its environment, or in the file', async () => {
    await writeFile(join(folder, 'other.yaml'), serverFile('file:/tmp/nereid') + entryOf('prod'));
    await writeFile(join(folder, 'default.yaml'), serverFile('file:/tmp/nereid') + entryOf('default'));

    expect(problemsOf(ofControl, 'other.yaml').map(({ path }) => path)).toEqual([
      'POOL_PUBLIC_KEY',
      'POOL_SEAL_PUBLIC_KEY',
    ]);
    expect(readConfig(environment(ofControl, 'default.yaml'), false).roles).toEqual(['control']);
  });
});

describe('a host alone', () => {
  const host = { WORKER_ROLES: 'terraform', ...HOST_VARIABLES };

  test('needs no key of the App, of links or of orders', () => {
    const config = readConfig(environment(host), false);

    expect(config.github).toMatchObject({ app: undefined, url: 'https://github.com' });
    expect(config.links.key).toBeUndefined();
    expect(config.signingKeys.orders.privateKey).toBeUndefined();
    expect(config.sealKeys.privateKeys).toHaveLength(1);
    expect(config.unneeded).toEqual([]);
  });

  test('that has one of them is told so, by its name', () => {
    const more = { GITHUB_APP_ID: '7', GITHUB_APP_PRIVATE_KEY: PEM, LINK_KEY, ORDERS_KEY: KEY_VARIABLES.ORDERS_KEY };

    expect(readConfig(environment({ ...host, ...more }), false).unneeded).toEqual([
      'GITHUB_APP_PRIVATE_KEY',
      'LINK_KEY',
      'ORDERS_KEY',
    ]);
    expect(readConfig(environment({ ...APP, LINK_KEY }), false).unneeded).toEqual([]);
  });

  test("that makes its tokens itself needs the App's id too", () => {
    expect(problemsOf({ ...host, GITHUB_APP_PRIVATE_KEY: PEM })).toMatchObject([{ path: 'GITHUB_APP_ID' }]);
  });

  test('has several keys to open with while they rotate, and control seals to the last', () => {
    const newer = createSealKeyPair();
    const both = {
      POOL_SEAL_KEY: SEAL_VARIABLES.POOL_SEAL_KEY + newer.privateKey,
      POOL_SEAL_PUBLIC_KEY: SEAL_VARIABLES.POOL_SEAL_PUBLIC_KEY + newer.publicKey,
    };

    const { sealKeys } = readConfig(environment({ ...APP, ...both }), false);

    expect(sealKeys.privateKeys).toHaveLength(2);
    expect(sealKeys.publicKey?.export({ type: 'spki', format: 'pem' })).toBe(newer.publicKey);
  });
});

describe('the links of check runs need a key', () => {
  test('where the role is control and the console is on another machine', () => {
    expect(problemsOf({ ...APP, ...ELSEWHERE })).toMatchObject([
      { path: 'LINK_KEY', message: expect.stringContaining('in LINK_KEY or in the file named by LINK_KEY_FILE') },
    ]);
  });

  test.each([
    ['it has one', { ...ELSEWHERE, LINK_KEY }, LINK_KEY, 'folder.yaml'],
    ['people log in to the console', { ...ELSEWHERE, LINK_KEY }, undefined, 'links-login.yaml'],
    ['people log in to the console, without one', ELSEWHERE, undefined, 'links-login.yaml'],
    ['it writes no links', { ...ELSEWHERE, WORKER_ROLES: 'terraform' }, undefined, 'folder.yaml'],
    ['the console is on this machine', { CONSOLE_URL: 'http://localhost:4144' }, undefined, 'folder.yaml'],
    [
      'the console is on this machine, by its address of IPv6',
      { CONSOLE_URL: 'http://[::1]:4144' },
      undefined,
      'folder.yaml',
    ],
  ])('a worker starts where %s', (_name, variables, key, file) => {
    expect(readConfig(environment({ ...APP, ...variables }, file), false).links.key?.reveal()).toBe(key);
  });

  test.each([
    ['private repositories, unless told otherwise', undefined, 'private'],
    ['all repositories, where an operator wants it', 'links-key.yaml', 'all'],
  ])('a key is for the links of %s', (_which, file, keyed) => {
    const { links } = readConfig(environment({ ...APP, ...ELSEWHERE, LINK_KEY }, file), false);

    expect(links.keyedRepositories).toBe(keyed);
  });

  test('also where the name of the console only looks like that of this machine', () => {
    expect(problemsOf({ ...APP, CONSOLE_URL: 'http://127.0.0.1.example:4144' })).toMatchObject([{ path: 'LINK_KEY' }]);
  });
});

describe('kept plans need a key', () => {
  test('where they are not in a folder of this machine', () => {
    expect(problemsOf(APP, 'bucket.yaml')).toMatchObject([
      { path: 'PLAN_KEY', message: expect.stringContaining('because plans are kept at s3://plans') },
    ]);
  });

  test('on hosts: control alone only removes them, and is told that it needs none', () => {
    const alone = { ...APP, ...SEAL_VARIABLES, WORKER_ROLES: 'control' };

    expect(readConfig(environment(alone, 'bucket.yaml'), false).unneeded).not.toContain('PLAN_KEY');
    expect(readConfig(environment({ ...alone, PLAN_KEY: KEY }, 'bucket.yaml'), false).unneeded).toContain('PLAN_KEY');
  });

  test('and the worker starts where it has one', () => {
    const { planKeys, server } = readConfig(environment({ ...APP, PLAN_KEY: KEY }, 'bucket.yaml'), false);

    expect(planKeys?.map((key) => key.reveal())).toEqual([KEY]);
    expect(keepsPlansInFolder(server.current())).toBe(false);
  });
});

type Variables = Readonly<Record<string, string>>;

function environment(variables: Variables, file = 'folder.yaml'): Variables {
  return { NEREID_CONFIG: join(folder, file), ...variables };
}

function serverFile(plans: string): string {
  return `
repositories: [{ match: acme/* }]
storage: { deployments: "file:/tmp/nereid", plans: "${plans}", logs: "file:/tmp/nereid" }
`;
}

async function secretFile(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

function problemsOf(variables: Variables, file?: string): ConfigurationError['problems'] {
  return refusal(variables, file).problems;
}

function messageOf(variables: Variables): string {
  return refusal(variables).message;
}

function refusal(variables: Variables, file?: string): ConfigurationError {
  try {
    readConfig(environment(variables, file), false);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('expected the configuration to be refused');
}
