/** The documents are the reference of the files: their examples are valid, and they list every key and word. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { jsonSchemaOf } from './check/json-schema.ts';
import {
  AUTODISCOVER_KEYS,
  AUTOPLAN_KEYS,
  FILE_KEYS,
  FILE_KEYS_ELSEWHERE,
  PROJECT_KEYS,
  PROJECT_KEYS_ELSEWHERE,
} from './repository/atlantis/atlantis-keys.ts';
import { readRepositoryConfig } from './repository/read-repository-config.ts';
import { policyFor, type RepositoryPolicy } from './server/repository-policy/policy.ts';
import { readServerConfig } from './server/read-server-config.ts';
import { formatProblem, type Problem } from './yaml/problem.ts';

const PAGES = [
  'reference/server-file.md',
  'reference/repository-file.md',
  'guides/policies.md',
  'guides/windows.md',
  'guides/budgets.md',
  'guides/waves.md',
  'guides/pools.md',
  'reference/console.md',
]
  .map(readPage)
  .concat(readPage('guides/reviews.md').replaceAll(/^```yaml\n[\s\S]*?^```$/gm, ''))
  .join('\n');

const FROM_ATLANTIS = readPage('guides/coming-from-atlantis.md');

/** Each begins with a comment that names its file. */
const EXAMPLES = Array.from(PAGES.matchAll(/^```yaml\n# (\S+)\n([\s\S]*?)^```$/gm), ([, file = '', text = '']) => ({
  file,
  text,
}));

/** The repository that the server's example is about. */
const REPOSITORY = 'acme/network';

test('there is an example of each file, and every example names its file', () => {
  expect(EXAMPLES.map(({ file }) => file)).toEqual([
    ...['nereid.server.yaml', 'nereid.yaml', 'atlantis.yaml'],
    // Of the pages about windows, budgets and waves.
    ...['nereid.server.yaml', 'nereid.server.yaml', 'nereid.server.yaml'],
  ]);
  expect(PAGES.match(/^```yaml$/gm)).toHaveLength(EXAMPLES.length);
});

test.each(EXAMPLES)('the example of $file has no problems and no warnings', ({ file, text }) => {
  expect(findingsIn(file, text)).toEqual([]);
});

test('the file of a company with two clouds has no problems and no warnings', () => {
  const [, text = ''] =
    /^```yaml\n# nereid\.server\.yaml\n([\s\S]*?)^```$/m.exec(readPage('guides/two-clouds.md')) ?? [];

  expect(text).toContain('google');
  expect(findingsIn('nereid.server.yaml', text)).toEqual([]);
});

const GUIDES = [
  'guides/reviews.md',
  'guides/versions.md',
  'guides/secrets.md',
  'guides/several-files.md',
  'guides/notifications.md',
  'guides/traces.md',
  'guides/protection-rules.md',
  'guides/identities.md',
  'guides/logins.md',
  'guides/proxies.md',
  'operate/retention.md',
  'start/first-repository.md',
].map((page) => ({
  page,
  examples: Array.from(readPage(page).matchAll(/^```yaml\n(# .*)\n([\s\S]*?)^```$/gm), ([, head = '', text = '']) => ({
    head,
    text,
  })),
}));

test.each(GUIDES)('the examples of $page have no problems and no warnings', ({ examples }) => {
  const isServer = ({ head }: { readonly head: string }) => head.startsWith("# In the server's file");
  const isMain = ({ head }: { readonly head: string }) => /^# (?:In a repository's )?nereid\.yaml/.test(head);
  const included = examples.flatMap(({ head, text }) =>
    head.startsWith('# roots/') ? [{ path: head.slice('# '.length), text }] : [],
  );
  const findings = [
    ...examples.filter(isServer).flatMap(({ text }) => findingsIn('nereid.server.yaml', completed(text))),
    ...examples.filter(isMain).flatMap(({ text }) => {
      const read = readRepositoryConfig({
        file: 'nereid.yaml',
        text,
        included,
        policy: policyOf(completed(''), 'acme/infra'),
      });
      return (read.kind === 'invalid' ? read.problems : read.warnings).map((finding) => formatProblem(finding));
    }),
  ];

  expect(examples).not.toEqual([]);
  expect(findings).toEqual([]);
});

/** A part of the server's file with what every file needs. */
function completed(text: string): string {
  const storage = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';
  const repositories = 'repositories: [{ match: acme/*, allowed_overrides: [terraform_version, distribution] }]';
  return [text, /^repositories:/m.test(text) ? '' : repositories, /^storage:/m.test(text) ? '' : storage].join('\n');
}

test.each(['server', 'repository'] as const)('every key of the file (%s) has a line in a table of keys', (name) => {
  expect(keysOf(jsonSchemaOf(name)).filter((key) => !listedKeys().has(key))).toEqual([]);
});

test('no table of keys lists one that the files do not have', () => {
  const known = new Set([...keysOf(jsonSchemaOf('server')), ...keysOf(jsonSchemaOf('repository'))]);

  expect([...listedKeys()].filter((key) => !known.has(key))).toEqual([]);
});

test.each(['server', 'repository'] as const)('every word that the file (%s) knows stands in the pages', (name) => {
  expect(wordsOf(jsonSchemaOf(name)).filter((word) => !PAGES.includes(`\`${word}\``))).toEqual([]);
});

test('the table for people who come from Atlantis has every key that is read, and every one that is ignored, once', () => {
  const [, section = ''] = FROM_ATLANTIS.split('\n## atlantis.yaml\n');
  const cells = Array.from(section.matchAll(/^\| (`.*?`) +\|/gm), ([, cell = '']) => cell);
  const listed = cells.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, key = '']) => key));
  const read = [...FILE_KEYS, ...PROJECT_KEYS, ...AUTOPLAN_KEYS, ...AUTODISCOVER_KEYS];

  // Two rows are about autoplan.
  expect([...new Set(listed)]).toHaveLength(listed.length - 1);
  expect([...new Set(listed)].toSorted()).toEqual(
    [...new Set([...read, ...FILE_KEYS_ELSEWHERE.keys(), ...PROJECT_KEYS_ELSEWHERE.keys()])].toSorted(),
  );
});

function readPage(page: string): string {
  return readFileSync(new URL(`../../../apps/docs/${page}`, import.meta.url), 'utf8');
}

function findingsIn(file: string, text: string): readonly string[] {
  const read =
    file === 'nereid.server.yaml'
      ? readServerConfig(text)
      : readRepositoryConfig({ file: repositoryFile(file), text, policy: examplePolicy() });
  const findings: readonly Problem[] = read.kind === 'invalid' ? read.problems : read.warnings;
  return findings.map((finding) => formatProblem(finding, file));
}

function repositoryFile(name: string): 'nereid.yaml' | 'atlantis.yaml' {
  if (name === 'nereid.yaml' || name === 'atlantis.yaml') return name;
  throw new Error(`expected an example of nereid.yaml or atlantis.yaml, found one of ${name}`);
}

function examplePolicy(): RepositoryPolicy {
  return policyOf(EXAMPLES.find(({ file }) => file === 'nereid.server.yaml')?.text ?? '', REPOSITORY);
}

function policyOf(server: string, repository: string): RepositoryPolicy {
  const read = readServerConfig(server);
  const policy = read.kind === 'ok' ? policyFor(read.config, repository) : undefined;
  if (!policy) throw new Error(`expected the example of nereid.server.yaml to be valid and to allow ${repository}`);
  return policy;
}

/** The keys in the first column of the tables whose head begins with "Key"; `storage.s3.region` counts as three keys. */
function listedKeys(): ReadonlySet<string> {
  const tables = PAGES.matchAll(/^\| Key.*\n((?:\|.*\n)+)/gm);
  const cells = Array.from(tables, ([, rows = '']) => rows.split('\n').map((row) => row.split('|')[1] ?? '')).flat();
  const names = cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name.split('.')));
  return new Set(names.flat());
}

function keysOf(schema: unknown): readonly string[] {
  return [...new Set(partsOf(schema).flatMap((part) => Object.keys(mappingIn(part['properties']))))];
}

function wordsOf(schema: unknown): readonly string[] {
  const words = partsOf(schema).flatMap((part) => (Array.isArray(part['enum']) ? part['enum'].map(String) : []));
  return [...new Set(words)];
}

/** Every object in a JSON Schema, itself too. */
function partsOf(value: unknown): readonly Mapping[] {
  const mapping = mappingIn(value);
  return [mapping, ...Object.values(mapping).flatMap(partsOf)];
}

type Mapping = Readonly<Record<string, unknown>>;

/** Empty for what is no object. */
function mappingIn(value: unknown): Mapping {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
