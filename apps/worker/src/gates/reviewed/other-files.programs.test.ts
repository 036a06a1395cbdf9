/** Whether what was merged is, for one root, what was planned before the merge. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import type { Root } from '@nereid/domain/root';
import { openDiscovery, type Discovery } from '@nereid/discovery';
import { startTestHost, type TestFiles, type TestHost } from '@nereid/git/testing';
import { deploymentAt } from '@nereid/domain/testing';
import { whyOtherFiles } from './other-files.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';
const STORAGE = 'storage: { deployments: file:/s, plans: file:/s, logs: file:/s }\n';
const steps = { plan: [], apply: [] } as const;
const NETWORK: Root = { ...deploymentAt(1).root, name: 'network', dir: 'network', varFiles: [], steps };

let host: TestHost;
let discovery: Discovery;

beforeAll(async () => {
  host = await startTestHost();
  discovery = openDiscovery();
});

afterAll(async () => {
  await discovery.close();
  await host.close();
});

interface Case {
  /** What the base has. */
  readonly files?: TestFiles;
  /** What the pull request changes. */
  readonly own?: TestFiles;
  /** What is merged between the plan and the merge of the pull request. */
  readonly first: TestFiles;
  readonly root?: Partial<Root>;
}

const tools = () => {
  const read = readServerConfig(`${STORAGE}repositories: [{ match: "acme/*" }]`);
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
  const context = { mirrors: host.mirrors, discovery, server: { current: () => read.config } };
  // What it asks for.
  return {
    context: context as unknown as Parameters<typeof whyOtherFiles>[0]['context'],
    signal: AbortSignal.timeout(60_000),
  };
};

async function whyNot({ files = {}, own = { 'network/own.tf': '' }, first, root }: Case): Promise<string | undefined> {
  const { upstream, repository, mirrors } = host;
  const base = await upstream.commit({ parent: null, files: { 'network/main.tf': BACKEND, ...files } });
  const head = await upstream.commit({ branch: 'feature', parent: base, files: own });
  const planned = await mirrors.merge(repository, { base, head });
  if (planned.kind !== 'merged') throw new Error(`expected a merge, found ${planned.kind}`);
  await upstream.commit({ files: first });
  const sha = await upstream.commit({ files: own });
  const ordered = { ...NETWORK, ...root };
  const deployment = deploymentAt(2, { root: ordered });
  const preview: Deployment = {
    ...deploymentAt(1, { root: ordered }),
    preview: { baseSha: base, headSha: head, expiresAt: '' },
  };
  return whyOtherFiles(tools(), {
    repository,
    deployment: { ...deployment, revision: { ...deployment.revision, sha } },
    reviewed: { tree: await mirrors.treeId(repository, planned.sha) },
    preview,
  });
}

describe('another merge makes no difference', () => {
  test.each<[string, Case]>([
    ['to documentation', { first: { 'network/README.md': 'words', 'docs/a.md': '' } }],
    ['to another root', { first: { 'database/main.tf': BACKEND } }],
    ['to a root within this one', { files: { 'network/inner/main.tf': BACKEND }, first: { 'network/inner/a.tf': '' } }],
    ['to a module that this root does not use', { first: { 'modules/x/main.tf': '' } }],
  ])('another merge makes no difference %s', async (_what, one) => {
    expect(await whyNot(one)).toBeUndefined();
  });
});

describe('another merge changes what was planned, and the file is named', () => {
  const uses = 'module "x" {\n  source = "../modules/x"\n}\nlocals {\n  y = file("../shared/y.json")\n}\n';

  test.each<[string, string, Case]>([
    ['a file of the root', 'network/policy.json', { first: { 'network/policy.json': '{}' } }],
    ['a file of a module', 'modules/x/f.py', { files: { 'network/m.tf': uses }, first: { 'modules/x/f.py': '' } }],
    ['a file that is named', 'shared/y.json', { files: { 'network/m.tf': uses }, first: { 'shared/y.json': '' } }],
    [
      'a module that only the pull request uses',
      'modules/x/f.py',
      { own: { 'network/m.tf': uses }, first: { 'modules/x/f.py': '' } },
    ],
    [
      'a variable file',
      'env/prod.tfvars',
      { root: { varFiles: ['../env/prod.tfvars'] }, first: { 'env/prod.tfvars': '' } },
    ],
    ['how git writes files', '.gitattributes', { first: { '.gitattributes': '* eol=crlf\n' } }],
  ])('another merge that changes %s is named', async (_what, file, one) => {
    expect(await whyNot(one)).toMatch(new RegExp(`^other files were merged than .* first: "${file}"$`));
  });
});

describe('all files are compared', () => {
  const EXTERNAL = 'data "external" "x" {\n  program = ["python3", "gen.py"]\n}\n';
  const first = { 'shared.json': '{}' };

  test.each<[string, Case, RegExp]>([
    [
      'of a root with an external source',
      { files: { 'network/x.tf': EXTERNAL }, first },
      /network\/x\.tf has data "external"/,
    ],
    ['of a root that begins to have one', { own: { 'network/x.tf': EXTERNAL }, first }, /network\/x\.tf has data/],
    [
      'of a root with a step that runs a command',
      { root: { steps: { plan: [{ kind: 'run', run: 'make' }], apply: [] } }, first },
      /a step that runs a command/,
    ],
    ['of a root with a link out of the repository', { files: { 'network/x': { link: '/etc' } }, first }, /leads out/],
  ])('all files %s are compared', async (_what, one, why) => {
    const found = await whyNot(one);

    expect(found).toMatch(/^other files were merged than .* and this root may read any of them: /);
    expect(found).toMatch(why);
  });
});

test('nobody is mentioned by a path', async () => {
  expect(await whyNot({ first: { 'network/@ada': '' } })).toMatch(/"network\/ada"$/);
});
