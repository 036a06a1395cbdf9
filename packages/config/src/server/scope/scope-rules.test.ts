import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matchesGlob } from '../glob.ts';
import { readServerConfig } from '../read-server-config.ts';
import { mayOverlap } from './may-overlap.ts';

const FILE = `repositories: [{ match: acme/infra-* }, { match: acme/web }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
`;

const TIMES = "kind: deny, dtstart: '2026-01-05T20:00', duration: 10h, timezone: UTC";
const HOOK = 'name: ops, kind: webhook, url: "https://h.example.org", secret_file: /run/secrets/hook';

/** Each with a scope in place of "SCOPE". */
const SECTIONS: readonly (readonly [section: string, written: string, what: string])[] = [
  ['policies[0]', 'policies: [{ name: p, source: p, enforce: advisory, SCOPE }]', 'this policy'],
  ['windows[0]', `windows: [{ name: w, ${TIMES}, SCOPE }]`, 'this window'],
  ['budgets[0]', 'budgets: [{ name: b, applies: 1, SCOPE }]', 'this budget'],
  ['waves[0]', 'waves: [{ name: w, SCOPE }]', 'this wave'],
  ['notifications[0]', `notifications: [{ ${HOOK}, SCOPE }]`, 'this destination'],
  ['protection_rules[0]', 'protection_rules: [{ environment: e, SCOPE }]', 'this rule'],
  ['deployments', 'deployments: { environment: "{root}", SCOPE }', 'this section'],
];

function warningsOf(written: string, scope: string): readonly string[] {
  const read = readServerConfig(FILE + written.replace('SCOPE', scope));
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
  return read.warnings.map(({ line, path, message }) => `${line} ${path}: ${message}`);
}

describe.each(SECTIONS)('of %s, people are warned', (section, written, what) => {
  test('of repositories that no entry of the file matches', () => {
    expect(warningsOf(written, 'repositories: [acme/web, acme/wbe, other/*]')).toEqual([
      `3 ${section}.repositories[1]: expected a repository that an entry of repositories matches, found "acme/wbe": ${what} covers nothing by it; did you mean "acme/web"?`,
      `3 ${section}.repositories[2]: expected a repository that an entry of repositories matches, found "other/*": ${what} covers nothing by it; correct it, or add an entry`,
    ]);
  });

  test('of directories that no repository can have', () => {
    expect(warningsOf(written, 'roots: [prod/./db, prod, ., ./prod]')).toEqual([
      `3 ${section}.roots[0]: expected a directory from the top of the repository, found "prod/./db", which no directory is called: ${what} covers nothing by it; leave out the "."`,
    ]);
  });

  test('of nothing that may match', () => {
    expect(warningsOf(written, 'repositories: ["*/*", Acme/Infra-eu, "acme/*", "*/*-eu", "**/web"]')).toEqual([]);
  });
});

test.each([
  ['acme/infra', 'acme/infra', true],
  ['acme/infra', 'ACME/Infra', true],
  ['acme/infra', 'acme/web', false],
  ['acme/*', 'acme/infra-*', true],
  ['acme/*-eu', 'acme/infra-*', true],
  ['acme/web-*', 'acme/infra-*', false],
  ['*/web', '*/infra', false],
  ['{acme,other}/web', 'third/*', true],
])('%s and %s may match the same repository: %s', (one, other, may) => {
  expect(mayOverlap(one, other)).toBe(may);
  expect(mayOverlap(other, one)).toBe(may);
});

/** A glob that matches the name: each letter is itself, or a wildcard for it. */
function globOf(repository: string): fc.Arbitrary<string> {
  const letters = Array.from(repository, (letter) =>
    letter === '/'
      ? fc.constant(letter)
      : fc.constantFrom(letter, letter.toUpperCase(), '*', '?', `{${letter},c}`, `[${letter}c]`, `${letter}*`),
  );
  return fc.tuple(...letters).map((parts) => parts.join(''));
}

const TWO = { minLength: 2, maxLength: 2 };
const name = fc.stringMatching(/^[ab]{1,4}$/);
const matching = fc
  .tuple(name, name)
  .map((names) => names.join('/'))
  .chain((repository) => fc.record({ repository: fc.constant(repository), globs: fc.array(globOf(repository), TWO) }));

test('nobody is warned of globs that one repository matches', () => {
  fc.assert(
    fc.property(matching, ({ repository, globs: [one = '', other = ''] }) => {
      fc.pre(matchesGlob(one, repository) && matchesGlob(other, repository));
      expect(mayOverlap(one, other)).toBe(true);
    }),
  );
});
