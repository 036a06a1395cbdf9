import { describe, expect, test } from '@jest/globals';
import { readServerConfig } from '../read-server-config.ts';
import { checksOf, wavesFor } from './waves.ts';

const SERVER = `repositories: [{ match: acme/* }]
storage: { deployments: file:/s, plans: file:/s, logs: file:/s }
`;

function read(waves: string) {
  return readServerConfig(`${SERVER}waves: ${waves}`);
}

const PLACES = ['a', 'b', 'c', 'd'].map((name) => ({ name, dirs: [`prod/${name}`] }));

function wavesOf(waves: string, repository = 'acme/infra') {
  const found = read(waves);
  if (found.kind === 'invalid') throw new Error(JSON.stringify(found.problems));
  return wavesFor(found.config, repository, PLACES);
}

describe('a wave', () => {
  test.each<[string, string, number]>([
    ['a number of roots', 'max: 3', 3],
    ['a share of the roots that it is about, rounded up', 'max: 30%', 2],
    ['one root at least', 'max: 1%', 1],
    ['all roots without a limit', 'soak: 1m', 4],
  ])('takes %s', (_what, written, most) => {
    expect(wavesOf(`[{ name: canary, ${written} }]`)).toMatchObject([{ name: 'canary', most }]);
  });

  test('is about the roots of its directories, in its repositories', () => {
    const waves = '[{ name: canary, roots: [prod/b, "prod/{c,d}"], repositories: [acme/infra], max: 50%, soak: 30m }]';

    expect(wavesOf(waves)).toEqual([{ name: 'canary', rootNames: ['b', 'c', 'd'], most: 2, soakMs: 1_800_000 }]);
    expect(wavesOf(waves, 'acme/app')).toMatchObject([{ rootNames: [] }]);
  });
});

describe('a check', () => {
  const PROMETHEUS = 'url: "http://prometheus:9090/", query: up';
  const checked = (...checks: readonly string[]) => {
    const found = read(`[{ name: canary, checks: [${checks.join(', ')}] }]`);
    if (found.kind === 'invalid') throw new Error(JSON.stringify(found.problems));
    return checksOf(found.config, 'canary');
  };

  test('asks for an address every minute, and halts after three failures', () => {
    expect(checked('{ name: page, http: { url: "http://app.svc/healthz?deep=1" } }')).toEqual([
      {
        ...{ name: 'page', everyMs: 60_000, failures: 3, timeoutMs: 10_000 },
        target: { kind: 'http', url: 'http://app.svc/healthz?deep=1' },
      },
    ]);
  });

  test('asks with a key of a file, in the header that is wanted', () => {
    const own =
      'url: "https://app.example.org", status: 204, secret_file: /run/key, secret_header: X-Api-Key, timeout: 3s';

    expect(checked(`{ name: page, http: { ${own} }, every: 10s, failures: 1 }`)).toEqual([
      {
        ...{ name: 'page', everyMs: 10_000, failures: 1, timeoutMs: 3_000 },
        secret: { file: '/run/key', header: 'X-Api-Key' },
        target: { kind: 'http', url: 'https://app.example.org', status: 204 },
      },
    ]);
    expect(checked('{ name: page, http: { url: "http://127.0.0.1:80/x", secret_file: /run/key } }')).toMatchObject([
      { secret: { file: '/run/key', header: 'Authorization' } },
    ]);
  });

  test.each([
    ['< 0.01', { kind: '<', number: 0.01 }],
    ['>=1e3', { kind: '>=', number: 1_000 }],
    ['!= -2', { kind: '!=', number: -2 }],
    ['no data', { kind: 'no data' }],
  ])('asks Prometheus, and expects "%s"', (written, expected) => {
    expect(checked(`{ name: errors, prometheus: { ${PROMETHEUS}, expect: "${written}" } }`)).toMatchObject([
      { target: { kind: 'prometheus', url: 'http://prometheus:9090', query: 'up', expect: expected } },
    ]);
  });

  test('runs a command in the first root of the wave, or in one that it names', () => {
    expect(checked('{ name: a, run: { command: "make smoke" } }')).toEqual([
      { name: 'a', everyMs: 60_000, failures: 3, timeoutMs: 120_000, target: { kind: 'run', command: 'make smoke' } },
    ]);
    expect(checked('{ name: a, run: { command: "true", root: prod-app, timeout: 10m } }')).toMatchObject([
      { timeoutMs: 600_000, target: { kind: 'run', command: 'true', rootName: 'prod-app' } },
    ]);
  });

  test('of a wave that the file does not have is none', () => {
    const found = read('[{ name: canary, checks: [{ name: page, http: { url: "http://app" } }] }]');

    expect(found.kind === 'ok' && checksOf(found.config, 'the rest')).toEqual([]);
  });

  test.each([
    ['nothing to ask', '{ name: a }', 'one of http, prometheus and run in a check'],
    ['two', `{ name: a, http: { url: "http://a" }, prometheus: { ${PROMETHEUS}, expect: "< 1" } }`, 'write just one'],
    [
      'no expectation',
      `{ name: a, prometheus: { ${PROMETHEUS} } }`,
      'expected a comparison with a number like "< 0.01"',
    ],
    ['a word', `{ name: a, prometheus: { ${PROMETHEUS}, expect: "< many" } }`, 'found "< many"'],
    [
      'the path of the API',
      '{ name: a, prometheus: { url: "http://p/api/v1/query", query: up, expect: "> 0" } }',
      'without /api/v1, found "http://p/api/v1/query"; leave that out',
    ],
    ['a login', '{ name: a, http: { url: "https://me:secret@a" } }', 'without a fragment or a login'],
    ['another scheme', '{ name: a, http: { url: "file:///etc/passwd" } }', 'expected an http or https URL'],
    [
      'a secret without TLS',
      '{ name: a, http: { url: "http://a.svc", secret_file: /s } }',
      'expected an https URL, or an http URL of this machine, beside secret_file, found "http://a.svc"; serve it',
    ],
    [
      'a secret without TLS, at a name that begins like this machine',
      '{ name: a, http: { url: "http://localhost.example.org", secret_file: /s } }',
      'expected an https URL',
    ],
    [
      'a header of the request itself',
      '{ name: a, http: { url: "https://a", secret_header: Host } }',
      'the name of a header',
    ],
    ['a short pause', '{ name: a, http: { url: "http://a" }, every: 9s }', 'a duration from 10s to 1h'],
    ['no failure', '{ name: a, http: { url: "http://a" }, failures: 0 }', 'a number from 1 to 10'],
    ['a long answer', '{ name: a, http: { url: "http://a", timeout: 31s } }', 'a duration from 1s to 30s'],
    ['a command alone', '{ name: a, run: "true" }', 'expected a mapping, found "true"'],
    ['the path of a root', '{ name: a, run: { command: "true", root: prod/app } }', 'the name of a root'],
    ['a slow command', '{ name: a, run: { command: "true", timeout: 1h } }', 'a duration from 1s to 10m'],
    [
      'one name twice',
      '{ name: a, http: { url: "http://a" } }, { name: A, http: { url: "http://b" } }',
      'expected checks of different names',
    ],
  ])('with %s is refused', (_what, written, expected) => {
    const found = read(`[{ name: canary, checks: [${written}] }]`);

    expect(found.kind === 'invalid' && found.problems.map(({ message }) => message).join('\n')).toContain(expected);
  });
});

test.each([
  ['no share of nothing', '[{ name: canary, max: 0% }]', 'a share from 1% to 100%'],
  ['no wave of nothing', '[{ name: canary, max: 0 }]', 'a number from 1 to'],
  ['no soak without an end', '[{ name: canary, soak: 8d }]', 'a duration from 1s to 7d'],
  ['each name once', '[{ name: canary }, { name: Canary }]', 'expected each name once'],
])('a file has %s', (_what, waves, expected) => {
  const found = read(waves);

  expect(found.kind === 'invalid' && found.problems.map(({ message }) => message).join('\n')).toContain(expected);
});

test('a wave that goes by names is warned of, because a repository names its roots itself', () => {
  const found = read('[{ name: canary, roots: [prod/b, "name:app"] }]');

  expect(found.kind === 'ok' && found.warnings).toMatchObject([
    { path: 'waves[0].roots[1]', message: expect.stringMatching(/^expected a directory, .* escape this wave;/) },
  ]);
});
