/** `nereid setup` against a GitHub that speaks HTTP. */
import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { APP_EVENTS, APP_PERMISSIONS } from '@nereid/github/app-needs';
import { readServerConfig } from '@nereid/config';
import { EXIT, ExitError } from '../exit-code.ts';
import { nereidInside } from '../testing/run.ts';
import { aFolder, aGitHub, answersAt, APP_ID, APP_KEY, filesIn, formIn, makeApp, setUpWith } from './testing.ts';

const CLONE = 'services: {}\nname: nereid\n';

/** As GitHub makes secrets, and as keys begin. */
const SECRET = /PRIVATE KEY|\b[0-9a-f]{40}\b/;

describe('nereid setup makes the App by its manifest', () => {
  test('and writes what docker compose takes, so that it starts with two words', async () => {
    const [github, folder, clone] = [await aGitHub(), aFolder(), aFolder()];
    writeFileSync(join(clone, 'docker-compose.yml'), CLONE);

    let page = '';
    const { status, stdout, stderr } = await setUpWith(
      [folder, ...answersAt(github)],
      async (address) => (page = await makeApp(address)),
      { folder: clone },
    );

    expect([status, stderr]).toEqual([0, '']);
    const files = filesIn(folder);
    expect(Object.keys(files).filter((name) => name.endsWith('.pem'))).toHaveLength(26);
    expect(
      Object.keys(files)
        .filter((name) => !name.endsWith('.pem'))
        .toSorted(),
    ).toEqual([
      ...['environment', 'github-app-private-key', 'github-app.json', 'github-client-secret', 'github-webhook-secret'],
      ...[
        'link-key',
        'nereid.server.yaml',
        'payload-key',
        'plan-key',
        'postgres-password',
        'session-key',
        'setup.json',
      ],
    ]);
    expect(readFileSync(join(clone, '.env'), 'utf8')).toBe(files['environment']);
    expect(files['environment']).not.toMatch(SECRET);
    expect(stdout).toContain('In the clone of Nereid: docker compose up --detach --build\n');
    expect(stdout).toMatch(new RegExp(`${github.url}/apps/nereid-acme/installations/new`));
    expect(page).toContain(`${github.url}/apps/nereid-acme/installations/new`);
    expect(stdout + page).not.toMatch(SECRET);
    github.assertNoRefusedRequests();
  });

  test('only its owner reads what is secret', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];

    await setUpWith([folder, ...answersAt(github)], makeApp);

    const open = Object.keys(filesIn(folder)).filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
    expect(open.filter((name) => !/\.pub\.pem$|^temporal[a-z-]*(?<!key)\.pem$/.test(name))).toEqual([
      'nereid.server.yaml',
    ]);
  });

  test.each([
    ['exactly what everything needs', [], ['everything']],
    ['and what teams and merge queues need', ['--teams', '--merge-queues'], ['everything', 'teams', 'merge queues']],
  ])('asks for %s', async (_title, flags, reasons) => {
    const github = await aGitHub();
    const needed = <T extends { readonly neededFor: string }>(list: readonly T[]) =>
      list.filter(({ neededFor }) => reasons.includes(neededFor));

    let manifest: unknown;
    await setUpWith([aFolder(), ...answersAt(github), ...flags], async (address) => {
      const { fields } = formIn(await (await fetch(address)).text(), address);
      manifest = JSON.parse(fields['manifest'] ?? '');
      await makeApp(address);
    });

    expect(manifest).toEqual({
      name: 'Nereid acme',
      url: 'https://nereid.example.org',
      hook_attributes: { url: 'https://webhooks.example.org/events', active: true },
      redirect_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      callback_urls: ['https://nereid.example.org/login/callback'],
      description: 'Plans and applies Terraform for merged changes.',
      public: false,
      default_permissions: Object.fromEntries(needed(APP_PERMISSIONS).map(({ name, level }) => [name, level])),
      default_events: needed(APP_EVENTS).map(({ name }) => name),
    });
  });

  test('for oneself, where no organisation is named', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];
    await github.createRepository({ owner: 'ada', name: 'infra', files: { a: '' }, collaborators: { ada: 'admin' } });

    const args = [folder, ...answersAt(github).filter((each) => each !== '--organization' && each !== 'acme')];
    const { status } = await setUpWith(args, makeApp);

    expect(status).toBe(0);
    expect(filesIn(folder)['nereid.server.yaml']).toContain('match: "ada/*"');
    expect(filesIn(folder)['nereid.server.yaml']).toContain(`operators: ["ada#${github.account('ada').id}"]`);
  });

  test('an operator is named with the id of their account, which GitHub tells', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];
    await github.createRepository({ owner: 'acme', name: 'infra', files: { a: '' }, collaborators: { ada: 'admin' } });

    const { status } = await setUpWith([folder, ...answersAt(github), '--operator', 'ada'], makeApp);
    const again = await nereidInside(['setup', folder, '--operator', 'ada']);

    expect([status, again.status]).toEqual([0, 0]);
    expect(filesIn(folder)['nereid.server.yaml']).toContain(`operators: ["ada#${github.account('ada').id}"]`);
  });

  test.each([
    ['nobody', /^expected GitHub to give the id .*\/users\/nobody, found the status 404; give --operator nobody#ID/],
    ['acme', /\/users\/acme, found no such person; give --operator acme#ID/],
  ])('makes nothing for %s, whose id GitHub does not give', async (operator, sentence) => {
    const [github, folder] = [await aGitHub(), aFolder()];
    await github.createRepository({ owner: 'acme', name: 'infra', files: { a: '' }, collaborators: {} });

    const { status, stderr } = await nereidInside(['setup', folder, ...answersAt(github), '--operator', operator]);

    expect([status, stderr, filesIn(folder)]).toEqual([1, expect.stringMatching(sentence), {}]);
  });

  test('asks on a terminal for what it has to know', async () => {
    const github = await aGitHub();
    const terminal = {
      columns: 120,
      answers: ['https://webhooks.example.org', 'https://nereid.example.org', 'acme', 'olga#7'],
    };

    const folder = aFolder();

    const { status, stderr } = await setUpWith([folder, '--github-url', github.url], makeApp, { terminal });

    const asked = stderr.match(/^(Address of the (gateway|console)|Organisation on GitHub|Your login on GitHub)/gm);
    expect([status, asked]).toEqual([
      0,
      ['Address of the gateway', 'Address of the console', 'Organisation on GitHub', 'Your login on GitHub'],
    ]);
    expect(filesIn(folder)['nereid.server.yaml']).toContain('operators: ["olga#7"]');
  });

  test('asks again after a wrong answer, and takes lines that were pasted one after the other', async () => {
    const github = await aGitHub();
    const terminal = { columns: 120, answers: ['webhooks.example.org', PASTED, 'olga#7'] };

    const { status, stderr } = await setUpWith([aFolder(), '--github-url', github.url], makeApp, { terminal });

    expect(status).toBe(0);
    expect(stderr).toContain(
      'as --gateway-url, found webhooks.example.org\nAddress of the gateway, which GitHub reaches',
    );
    expect(stderr).toContain('like https://nereid.example.org: https://nereid.example.org\n');
  });
});

const PASTED = 'https://webhooks.example.org\nhttps://nereid.example.org\nacme';

describe('a set-up goes on where it stopped', () => {
  test('and changes nothing that is there', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];
    await setUpWith([folder, ...answersAt(github)], makeApp);
    writeFileSync(join(folder, 'nereid.server.yaml'), 'repositories: [{ match: acme/infra }]\n');
    const before = filesIn(folder);
    rmSync(join(folder, 'environment'));
    rmSync(join(folder, 'link-key'));
    // As it tells people to.
    rmSync(join(folder, 'temporal-ca-key.pem'));
    github.resetTraffic();

    const { status, stdout } = await nereidInside(['setup', folder]);

    const after = filesIn(folder);
    expect(status).toBe(0);
    expect(stdout).toMatch(/: 1 files of keys made, \d+ left as they were\nThe App \d+ is there:/);
    expect(stdout).toContain('nereid.server.yaml: left as it was\nenvironment: made\n');
    const { 'temporal-ca-key.pem': _moved, ...kept } = before;
    expect({ ...after, 'link-key': '' }).toEqual({ ...kept, 'link-key': '' });
    expect(after['link-key']).not.toBe(before['link-key']);
    expect(github.requestCounts()).toEqual([]);
  });

  test('before the App was made: with the same answers, and the same keys', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];
    const leaving = new AbortController();
    const leave = () => {
      leaving.abort(new ExitError(EXIT.interrupted, ''));
      return Promise.resolve();
    };
    const first = await setUpWith([folder, ...answersAt(github)], leave, { signal: leaving.signal });
    const key = filesIn(folder)['gateway-key.pem'];

    const { status } = await setUpWith([folder], makeApp);

    expect([first.status, status, filesIn(folder)['gateway-key.pem']]).toEqual([130, 0, key]);
  });

  test('but not with other answers', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];
    await setUpWith([folder, ...answersAt(github)], makeApp);

    const { status, stderr } = await nereidInside(['setup', folder, '--console-url', 'https://other.example.org']);

    expect(status).toBe(2);
    expect(stderr).toMatch(
      /expected --console-url as at the beginning .*, https:\/\/nereid.example.org, found https:\/\/other/,
    );
  });

  test('not with half of an App', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];
    writeFileSync(join(folder, 'github-app-private-key'), APP_KEY);

    const { status, stderr } = await nereidInside(['setup', folder, ...answersAt(github)]);

    expect([status, stderr]).toEqual([2, expect.stringContaining('say to which App it belongs with --app-id')]);
  });

  test('beside an environment of somebody else, which it leaves alone', async () => {
    const [github, folder, clone] = [await aGitHub(), aFolder(), aFolder()];
    writeFileSync(join(clone, 'docker-compose.yml'), CLONE);
    writeFileSync(join(clone, '.env'), 'A=1\n');

    const { stdout } = await setUpWith([folder, ...answersAt(github)], makeApp, { folder: clone });

    expect(lstatSync(join(clone, '.env')).isSymbolicLink()).toBe(false);
    expect(stdout).toContain(`COMPOSE_ENV_FILES=${folder}/environment docker compose up`);
  });
});

test('whoever is not the user of the containers is told how these can read the secrets', async () => {
  const [github, folder] = [await aGitHub(), aFolder()];

  const other = await setUpWith([folder, ...answersAt(github)], makeApp, { user: 1_001 });
  const same = await nereidInside(['setup', folder], { user: 1_000 });

  expect(other.stdout).toContain(`sudo chown 1000 ${folder}/github-*`);
  expect(same.stdout).not.toContain('chown');
});

/** Nobody else can give files away. */
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

testAsRoot('as root, it gives the containers all keys, but not the one that makes certificates', async () => {
  const [github, folder] = [await aGitHub(), aFolder()];

  const { stdout } = await setUpWith([folder, ...answersAt(github)], makeApp, { user: 0 });

  const others = Object.keys(filesIn(folder)).filter((name) => statSync(join(folder, name)).uid !== 1_000);
  expect(others.toSorted()).toEqual([
    ...['environment', 'github-app.json', 'nereid.server.yaml', 'setup.json'],
    'temporal-ca-key.pem',
  ]);
  expect(stdout).not.toContain('chown');
});

describe('with an existing App', () => {
  test('its key is tried, and what it lacks is said', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];
    const files = ['private-key', 'client-secret'].map((name) => join(aFolder(), name));
    writeFileSync(files[0] ?? '', APP_KEY);
    writeFileSync(files[1] ?? '', 'c'.repeat(40));
    const [key = '', secret = ''] = files;

    const { status, stdout, stderr } = await nereidInside([
      ...['setup', folder, ...answersAt(github), '--app-id', String(APP_ID)],
      ...['--private-key-file', key, '--client-secret-file', secret],
    ]);

    expect([status, stderr]).toEqual([0, '']);
    expect(filesIn(folder)).toMatchObject({
      'github-app-private-key': APP_KEY,
      'github-webhook-secret': expect.stringMatching(/^[0-9a-f]{64}\n$/),
      environment: expect.stringContaining(`GITHUB_APP_ID=${APP_ID}\n`),
    });
    expect(stdout).toContain(`give it the webhook secret in ${folder}/github-webhook-secret`);
    expect(stdout).not.toMatch(SECRET);
  });

  test('another key is refused', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];
    const key = join(aFolder(), 'key');
    writeFileSync(key, APP_KEY);

    const { status, stderr } = await nereidInside([
      ...['setup', folder, ...answersAt(github), '--app-id', '12', '--private-key-file', key],
    ]);

    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^expected GitHub to know the App 12 by this private key, found the status 401;/),
    ]);
    expect(existsSync(join(folder, 'github-app.json'))).toBe(false);
  });
});

describe('nothing is made', () => {
  test.each([
    [
      ['--gateway-url', 'http://webhooks.example.org'],
      /^expected an address like https:.* as --gateway-url, found http:/,
    ],
    [['--console-url', 'https://a:b@nereid.example.org'], /as --console-url, found one with a password/],
    [['--github-url', 'https://github.example.org/api/v3'], /^expected the address of GitHub as --github-url/],
    [['--organization', 'a/b'], /^expected the name of an organisation on GitHub as --organization, found a\/b/],
    [['--operator', 'olga smith'], /^expected a login on GitHub like olga, .* as --operator, found olga smith/],
    [['--repositories', 'acme'], /^expected repositories like acme\/\* or acme\/infra as --repositories, found acme/],
    [['--storage', 'ftp://bucket'], /^expected answers that make a server's file, found: storage/],
    [['--for', 'nomad'], /^expected compose or kubernetes as --for, found nomad/],
    [['--port', '70000'], /^expected a port from 1 to 65535 as --port, found 70000/],
    [['--app-id', 'nereid'], /^expected the number of an App as --app-id, found nereid/],
    [['--for', 'kubernetes'], /^setup needs --storage/],
    [['--name', 'a name that is longer than GitHub takes it'], /^expected a name of at most 34/],
  ])('a setup with %j makes nothing', async (wrong, sentence) => {
    const folder = aFolder();
    const right = answersAt({ url: 'http://127.0.0.1:1' }).filter(
      (_, at, all) => !wrong.includes(all[at - (at % 2)] ?? ''),
    );

    const { status, stderr } = await nereidInside(['setup', folder, ...right, ...wrong]);

    expect([status, stderr]).toEqual([2, expect.stringMatching(sentence)]);
    expect(filesIn(folder)['github-app.json']).toBeUndefined();
  });

  test('where nobody may write', async () => {
    const file = join(aFolder(), 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o600);

    const { status, stderr } = await nereidInside([
      'setup',
      join(file, 'keys'),
      ...answersAt({ url: 'http://127.0.0.1:1' }),
    ]);

    expect([status, stderr]).toEqual([2, expect.stringMatching(/^expected to (read|write) .*setup.json/)]);
  });
});

test('the server’s file is one that the processes accept, and says the least', async () => {
  const [github, folder] = [await aGitHub(), aFolder()];

  await setUpWith([folder, ...answersAt(github), '--repositories', 'acme/infra-*'], makeApp);

  const text = filesIn(folder)['nereid.server.yaml'] ?? '';
  expect(readServerConfig(text)).toMatchObject({
    kind: 'ok',
    config: { console: { login: { mode: 'github', clientId: expect.stringMatching(/^Iv23li/) } } },
  });
  expect(text).toContain('match: "acme/infra-*"');
});

test.each([
  ['compose', 'nereid.server.yaml'],
  ['kubernetes', 'values.yaml'],
])(
  'with a bucket, for %s, it says that storage alone has the audit trail, and how to have another',
  async (target, file) => {
    const [github, folder] = [await aGitHub(), aFolder()];

    const args = [folder, ...answersAt(github), '--for', target, '--storage', 's3://acme-nereid'];
    const { stdout } = await setUpWith(args, makeApp);

    expect(stdout).toContain(`2. Name a topic of SNS as audit.to in ${folder}/${file}, unless storage alone`);
    const text = filesIn(folder)[file] ?? '';
    expect(text).toMatch(/^ *# audit: \{ to: "sns:/m);
    const server = filesIn(folder)['nereid.server.yaml'] ?? '';
    const audit = { audit: { to: [{ to: expect.stringMatching(/^sns:/) }], required: true } };
    expect(readServerConfig(server.replace('# audit:', 'audit:'))).toMatchObject({ kind: 'ok', config: audit });
  },
);
