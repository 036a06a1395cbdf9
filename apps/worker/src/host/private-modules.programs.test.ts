/** A root takes a module from another private repository, with the real Terraform, the real git and tokens of the stand-in. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import { createGitHub } from '@nereid/github';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { createMint } from '../platform/tokens/read-tokens.ts';
import { hostsOfEachTest } from './testing/test-hosts.ts';
import { applyOf } from './testing/test-jobs.ts';

const APP = { id: 7, slug: 'nereid' };
const { privateKey } = makeAppKey();

const folder = folderOfEachTest();
let standIn: GitHubStandIn;
const hosts = hostsOfEachTest();
let repository: { owner: string; name: string; installationId: number };

beforeEach(async () => {
  standIn = await startGitHub({
    dataDir: folder,
    app: { ...APP, key: privateKey },
  });
  const files = { 'vpc/main.tf': 'output "name" { value = "of-the-module" }\n' };
  const collaborators = { ada: 'admin' } as const;
  const { installationId } = await standIn.createRepository({ owner: 'acme', name: 'infra', files, collaborators });
  await standIn.createRepository({ owner: 'acme', name: 'tf-network', files, collaborators });
  repository = { owner: 'acme', name: 'infra', installationId };
});

afterEach(() => standIn.close());

test.each(['acme/tf-network', 'acme/tf-*'])(
  'a module of %s is taken, and no other step sees the token',
  async (from) => {
    const { host, tokens } = openHost(`[${from}]`);
    const look = 'env | grep GIT_CONFIG_ && echo LEAK; grep -rlE "ghs_|x-access-token" . && echo LEAK; echo looked';
    const job = await hosts.deploy(aRoot(), { apply: [{ kind: 'run', run: look }] });

    const plan = await host.plan(job);
    const apply = applyOf(job, plan);
    const applied = await host.apply(apply);

    expect(applied).toMatchObject({ kind: 'applied' });
    expect(await hosts.state()).toContain('of-the-module');
    const logs = `${await hosts.readLog(job)}${await hosts.readLog({ ...job, jobId: apply.jobId })}`;
    expect(logs).toContain('looked');
    expect(logs).not.toContain('LEAK');
    expect(tokens.length).toBeGreaterThan(0);
    for (const token of tokens) expect(logs).not.toContain(token);
  },
);

test.each(['[]', '[acme/modules]', '[acme/vpc-*]'])(
  'a module of a repository that modules_from: %s does not name is refused, and the failure names the setting',
  async (from) => {
    const { host } = openHost(from);

    const plan = await host.plan(await hosts.deploy(aRoot()));

    expect(plan).toMatchObject({ kind: 'failed' });
    expect(JSON.stringify(plan)).toContain("an operator has to name it under modules_from in the server's file");
    expect(JSON.stringify(plan)).not.toContain('ghs_');
  },
);

function aRoot() {
  const source = `git::${standIn.url}/acme/tf-network.git//vpc`;
  return {
    'main.tf': `terraform {\n  backend "local" {}\n}\nmodule "vpc" { source = "${source}" }\noutput "name" { value = module.vpc.name }\n`,
  };
}

function openHost(from: string) {
  const storage = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';
  const read = readServerConfig(`repositories: [{ match: acme/*, modules_from: ${from} }]\n${storage}\n`);
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read));
  const forge = createGitHub({ appId: APP.id, privateKey, apiUrl: standIn.apiUrl });
  const mint = createMint({ forge, server: { current: () => read.config }, logger: { warn: () => undefined } });
  const tokens: string[] = [];
  const token = async () => {
    const { value } = await mint(repository);
    tokens.push(value);
    return value;
  };
  return { host: hosts.openHost({ token, gitUrl: standIn.url }), tokens };
}
