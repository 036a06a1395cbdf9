import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestHost, type TestHost } from '@nereid/git/testing';
import { openDiscovery } from './index.ts';
import { anyPolicy } from './testing/policy.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});

afterAll(async () => {
  await host.close();
});

test('a push of several commits, a rename among them, gives its modified and deleted roots', async () => {
  const before = await host.upstream.commit({
    files: {
      'network/main.tf': `${BACKEND}module "vpc" {\n  source = "../modules/vpc"\n}\n`,
      'database/main.tf': BACKEND,
      'old name/main.tf': BACKEND,
      'idle/main.tf': BACKEND,
      'modules/vpc/main.tf': '',
    },
  });
  await host.upstream.commit({ files: { 'modules/vpc/main.tf': '# changed' } });
  await host.upstream.commit({ files: { 'old name': null, 'new\nname/main.tf': BACKEND } });
  const after = await host.upstream.commit({ files: { 'README.md': 'done' } });

  const { files, base } = await host.mirrors.changedFiles(host.repository, { kind: 'push', before, after });
  await using discovery = openDiscovery();
  const found = await discovery.discoverRoots({
    repository: 'acme/infra',
    tree: host.mirrors.tree(host.repository, after),
    before: host.mirrors.tree(host.repository, base ?? ''),
    changed: files,
    policy: anyPolicy(),
  });

  expect(found).toMatchObject({
    kind: 'roots',
    modified: [
      { root: { name: 'network', dir: 'network' }, why: ['modules/vpc/main.tf'] },
      { root: { name: 'new-name', dir: 'new\nname' }, why: ['new\nname/main.tf'] },
    ],
    deleted: ['old-name'],
    all: 4,
    warnings: [],
  });
});
