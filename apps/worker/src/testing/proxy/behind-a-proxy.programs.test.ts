/** What goes through a company's proxy, and whom it trusts: apps/docs/guides/proxies.md says the same. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { terraformEnvironment } from '@nereid/terraform';
import { findTerraform } from '@nereid/test-kit';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { openCompanyNetwork, type CompanyNetwork } from './company-network.ts';

const SPEAK = join(import.meta.dirname, 'fixtures/speak.ts');
const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
/** A child loads our packages and waits seconds for what does not answer; several times that where the machine is busy. */
const SPOKEN_WITHIN_MS = 120_000;
const INSTALLED_WITHIN_MS = 600_000;

const folder = folderOfThisFile();
let github: GitHubStandIn;
let company: CompanyNetwork;
let key: string;
let installationId: number;

beforeAll(async () => {
  key = makeAppKey().privateKey;
  github = await startGitHub({
    dataDir: join(folder, 'github'),
    app: { id: 4711, slug: 'nereid', key },
    webhook: { url: 'http://127.0.0.1:9/events', secret: 'a secret of the webhook' },
  });
  ({ installationId } = await github.createRepository({
    owner: 'acme',
    name: 'infra',
    files: { a: 'a' },
    collaborators: {},
  }));
  company = await openCompanyNetwork(folder, { github: github.url });
  await writeFile(join(folder, 'secret'), SECRET);
});

afterAll(async () => {
  await company[Symbol.asyncDispose]();
  await github.close();
});

beforeEach(() => {
  company.connected();
  company.requested();
});

type Variables = Readonly<Record<string, string>>;

const proxied = (): Variables => ({
  NODE_USE_ENV_PROXY: '1',
  HTTPS_PROXY: company.proxyUrl,
  HTTP_PROXY: company.proxyUrl,
});
const trusting = (): Variables => ({
  NODE_EXTRA_CA_CERTS: company.authority,
  GIT_SSL_CAINFO: company.authority,
  SSL_CERT_FILE: company.authority,
});

/** The basics, and nothing of the machine's own proxy. */
const BASICS = {
  PATH: process.env['PATH'] ?? '',
  HOME: tmpdir(),
  ...{ AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' },
};

/** What a process of ours prints that speaks to something with this environment. `until` ends one that waits. */
async function speak(argv: readonly string[], variables: Variables, until?: Promise<unknown>): Promise<string> {
  const child = spawn(process.execPath, [SPEAK, ...argv], { env: { ...BASICS, ...variables } });
  child.stderr.resume();
  void until?.then(() => child.kill('SIGKILL'));
  return (await text(child.stdout)).trimEnd();
}

const argumentsOf = (what: string) => [
  ...[what, company.urlOf(what === 'git' ? 'github' : what)],
  ...[what === 'webhook' ? join(folder, 'secret') : key, String(installationId)],
];

describe('with the proxy and the authority', () => {
  test(
    'the API of GitHub is reached through the proxy',
    async () => {
      expect(await speak(argumentsOf('github'), { ...proxied(), ...trusting() })).toBe('nereid');

      expect(new Set(company.connected())).toEqual(new Set(['github.company.example:443']));
      expect(company.requested()).toContain('github /api/v3/app');
    },
    SPOKEN_WITHIN_MS,
  );

  test(
    'git fetches through the proxy, with a token of the App',
    async () => {
      expect(await speak(argumentsOf('git'), { ...proxied(), ...trusting() })).toMatch(/^[0-9a-f]{40}$/);

      expect(company.requested().filter((each) => each.includes('.git/'))).not.toEqual([]);
      expect(new Set(company.connected())).toEqual(new Set(['github.company.example:443']));
    },
    SPOKEN_WITHIN_MS,
  );

  test.each([
    ['Google Cloud Storage', 'gs'],
    ['Azure Blob Storage', 'az'],
    ['a webhook of the audit trail', 'webhook'],
  ])(
    '%s is reached through the proxy',
    async (_what, name) => {
      await speak(argumentsOf(name), { ...proxied(), ...trusting() });

      expect(new Set(company.connected())).toEqual(new Set([`${name}.company.example:443`]));
      expect(company.requested()).not.toEqual([]);
    },
    SPOKEN_WITHIN_MS,
  );

  test(
    'Terraform fetches modules through the proxy',
    async () => {
      const terraform = await findTerraform({ env: process.env, report: () => undefined });
      const root = join(folder, 'root');
      await mkdir(root);
      await writeFile(join(root, 'main.tf'), `module "m" {\n  source = "${company.urlOf('modules')}/m.zip"\n}\n`);
      const env = terraformEnvironment({
        ...{ from: { ...BASICS, ...proxied(), ...trusting() }, allow: [], home: folder, workspace: 'default' },
      });

      await once(spawn(terraform, ['init', '-no-color'], { cwd: root, env, stdio: 'ignore' }), 'exit');

      expect(company.connected()).toContain('modules.company.example:443');
      expect(company.requested()).toContainEqual(expect.stringMatching(/^modules \/m\.zip/));
    },
    INSTALLED_WITHIN_MS,
  );
});

describe('without one of them', () => {
  test.each(['github', 'git', 'webhook'])(
    'what speaks to %s without the authority says what to do',
    async (what) => {
      const { GIT_SSL_CAINFO, ...others } = trusting();
      // The App of GitHub is reached before git is: git alone lacks it.
      const given =
        what === 'git'
          ? { NODE_EXTRA_CA_CERTS: others['NODE_EXTRA_CA_CERTS'] ?? '' }
          : { GIT_SSL_CAINFO: GIT_SSL_CAINFO ?? '' };

      const said = await speak(argumentsOf(what), { ...proxied(), ...given });

      expect(said).toMatch(/certificate/);
      expect(said).toContain(
        `name the file of its authority in ${what === 'git' ? 'GIT_SSL_CAINFO' : 'NODE_EXTRA_CA_CERTS'}`,
      );
    },
    SPOKEN_WITHIN_MS,
  );

  test(
    'Node goes past the proxy, until NODE_USE_ENV_PROXY is set',
    async () => {
      const { NODE_USE_ENV_PROXY: _unset, ...others } = proxied();

      await speak(argumentsOf('github'), { ...others, ...trusting() });

      expect(company.connected()).toEqual([]);
    },
    SPOKEN_WITHIN_MS,
  );

  test(
    'storage at Azure is reached through the proxy also without NODE_USE_ENV_PROXY',
    async () => {
      await speak(argumentsOf('az'), { HTTPS_PROXY: company.proxyUrl, ...trusting() });

      expect(new Set(company.connected())).toEqual(new Set(['az.company.example:443']));
    },
    SPOKEN_WITHIN_MS,
  );

  test(
    'what NO_PROXY names is reached directly',
    async () => {
      await speak(argumentsOf('github'), { ...proxied(), ...trusting(), NO_PROXY: '.company.example' });

      expect(company.connected()).toEqual([]);
    },
    SPOKEN_WITHIN_MS,
  );
});

test.each(['s3', 'sns'])(
  'AWS (%s) is never reached through the proxy',
  async (what) => {
    await speak(argumentsOf(what), { ...proxied(), ...trusting() });

    expect(company.connected()).toEqual([]);
  },
  SPOKEN_WITHIN_MS,
);

describe('Temporal', () => {
  let server: Server;
  let address: string;
  let reached: PromiseWithResolvers<void>;

  beforeEach(async () => {
    reached = Promise.withResolvers();
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      reached.resolve();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`; // Of TCP, because that is what it listens on.
  });

  test.each([
    ['worker', 'HTTPS_PROXY', 'directly', []],
    ['client', 'HTTPS_PROXY', 'directly', []],
    ['worker', 'https_proxy', 'directly', []],
    ['client', 'https_proxy', 'through the proxy', ['through']],
  ])(
    'is reached by a %s with %s %s',
    async (what, name, _way, through) => {
      await speak([what, address], { ...proxied(), [name]: company.proxyUrl }, reached.promise);

      expect(company.connected().map(() => 'through')).toEqual(through);
      server.close();
    },
    SPOKEN_WITHIN_MS,
  );
});
