import { createKeyPair, createSealKeyPair } from '@nereid/signature';
import { describe, expect, test } from '@jest/globals';
import { readRepositoryConfig } from '../repository/read-repository-config.ts';
import { formatProblem } from '../yaml/problem.ts';
import { policyFor } from './repository-policy/policy.ts';
import { serverWith } from './repository-policy/policy.fixture.ts';
import { readServerConfig } from './read-server-config.ts';
import { resolveRoot } from '../repository/resolve-root.ts';

const STORAGE = 'storage: { deployments: "file:/data", plans: "file:/data", logs: "file:/data" }';
const [prod, dev] = [keysOf(), keysOf()];

/** As YAML in one line. */
function keysOf() {
  const [sign, seal] = [createKeyPair(), createSealKeyPair()];
  const both = `public_key: ${JSON.stringify(sign.publicKey)}, seal_public_key: ${JSON.stringify(seal.publicKey)}`;
  return { both, sign };
}

const POOLS = `pools: [{ name: prod, labels: [production, eu], ${prod.both} }, { name: dev, ${dev.both} }]`;

function problemsWith(pools: string, repositories = '[{ match: acme/infra }]'): readonly string[] {
  const read = readServerConfig(`${pools}\nrepositories: ${repositories}\n${STORAGE}`);
  return read.kind === 'ok' ? [] : read.problems.map((problem) => formatProblem(problem, '').replace(/^:\S+ /, ''));
}

/** The pool of the roots of nereid.yaml, or the problems with it. */
function poolsOf(entry: string, ...roots: readonly string[]): readonly string[] {
  const policy = policyFor(serverWith(`repositories: [{ match: acme/infra, ${entry} }]\n${POOLS}`), 'acme/infra');
  if (policy === undefined) throw new Error('expected the policy of this test to allow acme/infra');
  const read = readRepositoryConfig({ file: 'nereid.yaml', text: `version: 1\nroots: [${roots.join(', ')}]`, policy });
  if (read.kind === 'invalid') return read.problems.map(({ path, message }) => `${path}: ${message}`);
  return read.config.roots.map((root) => resolveRoot(policy, root).pool ?? 'default');
}

describe('a root runs on the hosts', () => {
  test('of default, if nobody says otherwise, and its order says nothing of them', () => {
    expect(poolsOf('branch: main', '{ dir: a }')).toEqual(['default']);
    const policy = policyFor(serverWith('repositories: [{ match: acme/infra }]'), 'acme/infra');

    expect(
      policy && resolveRoot(policy, { name: 'a', dir: 'a', workspace: 'default', enabled: true, varFiles: [] }),
    ).not.toHaveProperty('pool');
  });

  test('of the pool of its repository, or of the rule for its directory, by name or label', () => {
    const entry = 'hosts: dev, roots: { prod: { hosts: production } }';

    expect(poolsOf(entry, '{ dir: prod/network }', '{ dir: stage }')).toEqual(['prod', 'dev']);
  });

  test('that its repository asks for, where the server allows these', () => {
    const entry = 'hosts: dev, allowed_hosts: [eu, default]';

    expect(poolsOf(entry, '{ dir: a, hosts: eu }', '{ dir: b, hosts: default }', '{ dir: c }')).toEqual([
      'prod',
      'default',
      'dev',
    ]);
  });
});

describe('a repository cannot choose hosts', () => {
  test.each([
    ['without permission', 'branch: main', 'hosts that the server lets this repository ask for (none)'],
    [
      'by a name whose label it may use',
      'allowed_hosts: [eu]',
      'hosts that the server lets this repository ask for (eu)',
    ],
    [
      'of a root for which the server has a rule',
      'allowed_hosts: [prod], roots: { a: { hosts: dev } }',
      'nothing, because the server has a rule for the root "a"',
    ],
  ])('a repository cannot choose hosts %s', (_how, entry, expected) => {
    expect(poolsOf(entry, '{ dir: a, hosts: prod }')).toEqual([
      `roots[0].hosts: expected ${expected}, found "prod"; remove it, or ask those who run the server`,
    ]);
  });

  test('not even if its reader let it through', () => {
    const policy = policyFor(serverWith(`repositories: [{ match: acme/infra }]\n${POOLS}`), 'acme/infra');
    const root = { name: 'a', dir: 'a', workspace: 'default', enabled: true, varFiles: [], hosts: 'prod' };

    expect(policy && resolveRoot(policy, root)).not.toHaveProperty('pool');
  });
});

describe('a problem of the server file is', () => {
  test('a pool or label that nobody knows, wherever it is named', () => {
    const entry = '[{ match: acme/infra, hosts: prodd, allowed_hosts: [prodution], roots: { a: { hosts: gpu } } }]';
    const known = 'a pool, or a label of one (default, prod, production, eu, dev)';

    expect(problemsWith(POOLS, entry)).toEqual([
      `repositories[0].hosts: expected ${known}, found "prodd"; did you mean "prod"?`,
      expect.stringMatching(
        /^repositories\[0\].allowed_hosts\[0\]: expected .*, found "prodution"; did you mean "production"\?$/,
      ),
      `repositories[0].roots.a.hosts: expected ${known}, found "gpu"; add it under pools`,
    ]);
  });

  test('a name or label that another pool has, and the label default', () => {
    const pools = `pools: [{ name: prod, ${prod.both} }, { name: dev, labels: [prod, default], ${dev.both} }]`;

    expect(problemsWith(pools)).toEqual([
      'pools[1].labels[0]: expected each name and label once, found "prod", which pools[0] has already; choose another one',
      'pools[1].labels[1]: expected another label, found "default", the pool of roots that ask for no hosts; remove it',
    ]);
  });

  test('a pool without keys; only default may have them in the environment', () => {
    expect(problemsWith('pools: [{ name: prod }, { name: default, labels: [any] }]')).toEqual([
      'pools[0]: expected one or more Ed25519 public keys as PEM in public_key, found nothing; make them with: nereid keys FOLDER prod',
      'pools[0]: expected one or more X25519 public keys as PEM in seal_public_key, found nothing; make them with: nereid keys FOLDER prod',
    ]);
  });

  test('what is no public key of its kind, and no private one is shown', () => {
    const found = problemsWith(`pools: [{ name: default, public_key: ${JSON.stringify(prod.sign.privateKey)} }]`);

    expect(found).toEqual([
      'pools[0].public_key: expected one or more Ed25519 public keys as PEM, found something else; make them with: nereid keys FOLDER default',
    ]);
  });

  test('a key of two pools', () => {
    expect(problemsWith(`pools: [{ name: prod, ${prod.both} }, { name: dev, ${prod.both} }]`)).toEqual([
      expect.stringMatching(/^pools\[1\].public_key: expected keys that no other pool has, found one of pools\[0\]/),
      expect.stringMatching(
        /^pools\[1\].seal_public_key: expected keys that no other pool has, found one of pools\[0\]/,
      ),
    ]);
  });

  test('a name that no queue can have', () => {
    expect(problemsWith(`pools: [{ name: "Prod EU", ${prod.both} }]`)).toEqual([
      expect.stringMatching(/^pools\[0\].name: expected a name of lower-case letters, digits and "-", at most 40/),
    ]);
  });
});
