import { describe, expect, test } from '@jest/globals';
import { readServerConfig } from '../read-server-config.ts';
import { wavesFor } from './waves.ts';

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
