/** The table of what Nereid was tried with has the versions with which the tests run. */
import { beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { TEMPORAL_SERVER } from '@nereid/temporal/versions';
import { glob } from 'node:fs/promises';
import { parse } from 'yaml';
import { REPOSITORY, readRepositoryFile } from '../repository.ts';
import { DOCKERFILE } from './images/image-folder.ts';

const PRODUCTION = 'packages/test-kit/src/production';
const KUBERNETES_GUIDE = 'apps/docs/guides/kubernetes.md';

/** The version of each row, and how it is written where tests take it from. */
const PINNED = [
  ['Node', '.config/prepared.sh', /^pinned_node=(.*)$/m],
  ['Node of the command line', `${PRODUCTION}/find-old-node.ts`, /^const VERSION = '(.*)';$/m],
  ['Terraform', 'packages/test-kit/src/toolchain/find-terraform.ts', /^ {2}version: '(.*)',$/m],
  ['Kubernetes, API server', `${PRODUCTION}/chart/find-kubernetes.ts`, /^const VERSION = '(.*)';$/m],
  ['Kubernetes, a node', `${PRODUCTION}/chart/find-kubernetes.ts`, /^const VERSION = '(.*)';$/m],
  ['Kubernetes, schemas', `${PRODUCTION}/chart/chart.production.test.ts`, /^const KUBERNETES = \[(.*)\] as const;$/m],
  ['Helm', `${PRODUCTION}/chart/tools.ts`, /^const HELM: Pin = \{ version: '([^']*)'/m],
  ['Docker Compose', `${PRODUCTION}/compose-up/find-compose.ts`, /^const VERSION = '(.*)';$/m],
] as const;

/** What people copy, with the default version of their roots. */
const SERVER_FILES = [
  'apps/cli/src/setup/files/server-file.ts',
  '.config/production/**/*.yaml',
  'apps/chart/examples/*.yaml',
  'apps/docs/{start,concepts,guides,operate,reference}/*.md',
];

const DEFAULT_VERSION = /(?:terraform:(?:\s+\{)?\s+version: |TERRAFORM_VERSION = )'([\d.]+)'/g;

let rows: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const [, table = ''] = (await readRepositoryFile('apps/docs/operate/releases.md')).split('## Tested versions');
  rows = new Map(
    table.split('\n').flatMap((line) => {
      const [, what = '', ...cells] = line.split('|').map((cell) => cell.trim());
      return what === '' ? [] : [[what, cells] as const];
    }),
  );
});

test.each(PINNED)('%s', async (what, file, pin) => {
  const [, version = ''] = pin.exec(await readRepositoryFile(file)) ?? [];

  expect(version).not.toBe('');
  expect(rows.get(what)?.[0]).toBe(version.replaceAll("'", ''));
});

test('Temporal server', () => {
  expect(rows.get('Temporal server')?.[0]).toBe(TEMPORAL_SERVER);
});

test('Terraform of the image', async () => {
  expect(rows.get('Terraform')?.[1]).toContain(`image has ${await versionOfImage('hashicorp/terraform')}`);
});

test('Node of the images', async () => {
  expect(await versionOfImage('node')).toBe(rows.get('Node')?.[0]);
});

test('each server’s file that people copy has the Terraform of the image, which is there without a download', async () => {
  const found: string[] = [];
  for await (const file of glob(SERVER_FILES, { cwd: REPOSITORY })) {
    const versions = Array.from((await readRepositoryFile(file)).matchAll(DEFAULT_VERSION), ([, version]) => version);
    found.push(...versions.map((version) => `${file}: ${version}`));
  }

  const version = await versionOfImage('hashicorp/terraform');
  expect(found.length).toBeGreaterThan(8);
  expect(found.filter((one) => !one.endsWith(`: ${version}`))).toEqual([]);
});

test('the parts of a node', async () => {
  const pins = await readRepositoryFile(`${PRODUCTION}/cluster/find-runtime.ts`);

  const [, runc = ''] = /RUNC: Part = \{ version: '([\d.]+)'/.exec(pins) ?? [];
  const [, containerd = ''] = /version: '([\d.]+)', module: 'github.com\/containerd\/containerd/.exec(pins) ?? [];
  expect(rows.get('Kubernetes, a node')?.[1]).toContain(`containerd ${containerd} and runc ${runc}`);
  expect(await readRepositoryFile(KUBERNETES_GUIDE)).toContain(`containerd ${minorOf(containerd)} make a node`);
});

test('the Kubernetes that the chart asks for, and the newest', async () => {
  const [oldest = '', newest = ''] = (rows.get('Kubernetes, schemas')?.[0] ?? '').split(', ');
  const chart = parse(await readRepositoryFile('apps/chart/Chart.yaml')) as { readonly kubeVersion: string };
  const guide = await readRepositoryFile(KUBERNETES_GUIDE);

  expect(chart.kubeVersion).toBe(`>=${oldest}.0-0`);
  expect(minorOf(rows.get('Kubernetes, a node')?.[0] ?? '')).toBe(newest);
  expect(guide).toContain(`requires Kubernetes ${oldest} or newer`);
  expect(guide).toContain(`schemas of Kubernetes ${oldest} and ${newest}`);
  expect(guide).toContain(`kubelet of Kubernetes ${newest}`);
});

test('git', async () => {
  const [oldest = ''] = /[\d.]+/.exec(rows.get('git')?.[0] ?? '') ?? [];

  const said = await runCommand({
    argv: ['git', 'version'],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: REPOSITORY,
  });

  const [found = ''] = /[\d.]+/.exec(said.stdout) ?? [];
  expect(oldest.localeCompare(found, 'en', { numeric: true })).toBeLessThanOrEqual(0);
});

/** That of the image which ours begin from. */
async function versionOfImage(name: string): Promise<string> {
  const [, version = ''] = new RegExp(`^FROM ${name}:([\\d.]+)`, 'm').exec(await readRepositoryFile(DOCKERFILE)) ?? [];
  expect(version).not.toBe('');
  return version;
}

/** 1.37 of 1.37.2. */
function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
