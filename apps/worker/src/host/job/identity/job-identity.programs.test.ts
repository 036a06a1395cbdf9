/** Jobs of a real Terraform in their sandboxes: what they are to clouds, and what they leave. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tradeToken } from '@nereid/test-kit';
import { openedBy, withGo } from '../../../testing/test-signatures.ts';
import { issuedIdentityTokens } from '../../../platform/tokens/identity/identity-tokens.ts';
import {
  controlWith,
  serverWith,
  startTestIssuer,
  type TestIssuer,
} from '../../../platform/tokens/identity/testing/test-issuer.ts';
import { anActivity } from '../../testing/an-activity.ts';
import type { TestHost } from '../../testing/open-test-host.ts';
import { hostsOfEachTest } from '../../testing/test-hosts.ts';
import { applyOf } from '../../testing/test-jobs.ts';
import type { HostTools } from '../tools.ts';
import { leftTokens } from './job-identity.ts';

const SERVER = serverWith(`
  - match: acme/infra
    environment:
      plan: { STAGE: planning, AWS_ROLE_ARN: 'arn:aws:iam::1:role/plan' }
      apply: { STAGE: applying, AWS_ROLE_ARN: 'arn:aws:iam::1:role/deploy' }
    identity: { audience: nereid }`);

/** What the worker may pass on, which would be believed before a token. */
const WORKER = { AWS_ACCESS_KEY_ID: 'AKIAWORKER', AWS_REGION: 'eu-central-1' };

let issuer: TestIssuer;
const hosts = hostsOfEachTest();

beforeAll(async () => {
  issuer = await startTestIssuer();
});

afterAll(() => issuer.close());

test('a plan and its apply are known to a cloud as what they are, and as nothing else', async () => {
  const host = openHost();
  const job = await hosts.deploy(filesWith(reported('apply')), { plan: [{ kind: 'run', run: reported('plan') }] });
  const plan = await host.plan(job);
  const apply = applyOf(job, plan);

  expect(await host.apply(apply)).toMatchObject({ kind: 'applied' });

  expect([await tradedBy('plan'), await tradedBy('apply')]).toEqual([['plan'], ['apply']]);
  const [planned, applied] = [await variablesOf('plan'), await variablesOf('apply')];
  expect(planned).toMatchObject({ STAGE: 'planning', AWS_ROLE_ARN: 'arn:aws:iam::1:role/plan', MODE: '600' });
  expect(applied).toMatchObject({ STAGE: 'applying', AWS_ROLE_ARN: 'arn:aws:iam::1:role/deploy', MODE: '600' });
  for (const variables of [planned, applied]) {
    expect(variables).toMatchObject({
      AWS_WEB_IDENTITY_TOKEN_FILE: '/nereid/identity-token',
      AWS_REGION: 'eu-central-1',
    });
    expect(variables).not.toHaveProperty('AWS_ACCESS_KEY_ID');
  }
});

test('no log shows a token, and after its job there is none on the disk', async () => {
  const host = openHost();
  const printed = 'cat $NEREID_IDENTITY_TOKEN_FILE';
  const job = await hosts.deploy(filesWith(printed), { plan: [{ kind: 'run', run: printed }] });
  const apply = applyOf(job, await host.plan(job));

  await host.apply(apply);

  for (const each of [job, apply]) {
    const log = await hosts.readLog(each);
    expect(log).toContain('***');
    expect(log).not.toContain('eyJ');
    await expect(stat(join(hosts.jobFolderOf(each), 'identity'))).rejects.toThrow('ENOENT');
  }
});

test('an apply finds nothing that its plan left in the tree or at home, but what the plan is about', async () => {
  const host = openHost();
  const steps = [
    'echo evil > script.sh',
    'echo evil > "$HOME/.terraformrc"',
    'mkdir -p .terraform',
    'echo > .terraform/evil',
  ];
  const look = `cat script.sh > ${hosts.stateDir}/script; ls -A .terraform "$HOME" > ${hosts.stateDir}/left`;
  const job = await hosts.deploy(
    { ...filesWith(look), 'script.sh': 'echo good\n' },
    { plan: [{ kind: 'run', run: steps.join(' && ') }] },
  );

  expect(await host.apply(applyOf(job, await host.plan(job)))).toMatchObject({ kind: 'applied' });

  expect(await readFile(join(hosts.stateDir, 'script'), 'utf8')).toBe('echo good\n');
  expect(await readFile(join(hosts.stateDir, 'left'), 'utf8')).not.toMatch(/evil|terraformrc/);
});

test('a plan that cannot move to the new check-out of its apply has failed, and says why', async () => {
  const large = 'head -c 60000000 /dev/zero > large';
  const job = await hosts.deploy(filesWith('true'), { plan: [{ kind: 'run', run: large }] });

  expect(await openHost().plan(job)).toMatchObject({
    kind: 'failed',
    failure: {
      body: { summary: expect.stringMatching(/identity of its own, and this plan cannot move .* 60000000 bytes/) },
    },
  });
});

test('an apply without changes, which nobody confirmed, runs nothing, and is told to have ended', async () => {
  const host = openHost();
  const job = await hosts.deploy(filesWith('true'), { apply: [{ kind: 'run', run: `touch ${hosts.stateDir}/ran` }] });
  const apply = { ...applyOf(job, await host.plan(job)), hostId: 'h1' };
  const leave = await withGo(apply, undefined, true);

  const outcome = await anActivity().run(() => host.host.hostActivities.applyOnHost(leave));

  expect(outcome).toMatchObject({ kind: 'applied', counts: { added: 0, changed: 0, destroyed: 0 } });
  expect(await readdir(hosts.stateDir)).toEqual([]);
  expect(await hosts.readLog(apply)).toContain('Nothing to apply');
  expect(await hosts.begunApplies.read(job.deploymentId)).toMatchObject({ outcome: { kind: 'applied' } });
});

test('where control gives no token, nothing is planned', async () => {
  const job = await hosts.deploy(filesWith('true'));
  const host = hosts.openHost({ repositories: SERVER.repositories });

  await expect(host.plan(job)).rejects.toThrow('nobody has a key of identities');
});

test('the token that a lost worker left is known until it is removed; then the output of its job is not shown', async () => {
  const job = await hosts.deploy(filesWith('true'));
  const toolsWith = (repositories = SERVER.repositories): Pick<HostTools, 'context'> => {
    const config = { workDir: dirname(dirname(hosts.treeOf(job))) };
    return { context: { config, server: { current: () => ({ repositories }) } } as unknown as HostTools['context'] }; // All that it asks.
  };

  const opened = await openedBy(job);
  const left = async () => [await leftTokens(toolsWith(), opened), await leftTokens(toolsWith([]), opened)];
  expect(await left()).toEqual([undefined, []]);
  await mkdir(join(hosts.jobFolderOf(job), 'identity'), { recursive: true });
  await writeFile(join(hosts.jobFolderOf(job), 'identity/identity-token'), 'the token');
  expect(await left()).toEqual([['the token'], ['the token']]);
});

function openHost(): TestHost {
  const identityTokens = issuedIdentityTokens(controlWith(SERVER, issuer));
  return hosts.openHost({ repositories: SERVER.repositories, environment: WORKER, identityTokens });
}

/** A root whose apply runs the command. */
function filesWith(command: string): Readonly<Record<string, string>> {
  return {
    'main.tf': `
terraform {
  backend "local" {}
}
resource "terraform_data" "job" {
  provisioner "local-exec" {
    command = ${JSON.stringify(command)}
  }
}`,
  };
}

/** Copies what the job is to clouds to where this test finds it. */
function reported(name: string): string {
  const copy = join(hosts.stateDir, name);
  return `cp "$NEREID_IDENTITY_TOKEN_FILE" ${copy}.token && (env && echo "MODE=$(stat -c %a "$NEREID_IDENTITY_TOKEN_FILE")") > ${copy}.env`;
}

/** As which a cloud takes the token: it knows the issuer's URL, and the subjects. */
async function tradedBy(name: string): Promise<readonly string[]> {
  const token = await readFile(join(hosts.stateDir, `${name}.token`), 'utf8');
  const phases = ['plan', 'apply'];
  const traded = phases.map((phase) => {
    const subject = `repository:acme/infra:root:network:phase:${phase}`;
    return tradeToken('aws', { issuer: issuer.url, audience: 'nereid', subject }, token);
  });
  const kinds = await Promise.all(traded);
  return phases.filter((_phase, index) => kinds[index]?.kind === 'traded');
}

async function variablesOf(name: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(hosts.stateDir, `${name}.env`), 'utf8');
  return Object.fromEntries(Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, key = '', value = '']) => [key, value]));
}
