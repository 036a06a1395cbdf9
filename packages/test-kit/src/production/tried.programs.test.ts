/** The table of what Nereid was tried with has the versions with which the tests run. */
import { beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { TEMPORAL_SERVER } from '@nereid/temporal/versions';
import { REPOSITORY, readRepositoryFile } from '../repository.ts';
import { DOCKERFILE } from './images/image-folder.ts';

const PRODUCTION = 'packages/test-kit/src/production';

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
  const [, version = ''] = /^FROM hashicorp\/terraform:([\d.]+)@/m.exec(await readRepositoryFile(DOCKERFILE)) ?? [];

  expect(rows.get('Terraform')?.[1]).toContain(`image has ${version}`);
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
