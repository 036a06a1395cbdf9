import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { orderBody, type WaveChecked, type WaveCheckOrder } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { runCommand } from '@nereid/subprocess';
import { testSignatures, type TestJob } from '../../testing/test-signatures.ts';
import { anActivity } from '../testing/an-activity.ts';
import type { TestHost } from '../testing/open-test-host.ts';
import { hostsOfEachTest } from '../testing/test-hosts.ts';

const CONFIG = `terraform {
  backend "local" {}
}
output "url" {
  value = "http://app"
}
`;

/** In the command lines of what must not stay. */
const MARK = '424242';
const STAYS = `trap '' TERM INT HUP; while :; do sleep ${MARK}; done`;
const DAEMONS = `setsid nohup sh -c "${STAYS}" > begun 2>&1 & (sh -c 'sleep ${MARK} & sleep ${MARK} &'); until [ -e begun ]; do :; done`;
const DEEPEN = `python3 -c "
import os
for _ in range(1000):
  os.mkdir('deep-folder'); os.chdir('deep-folder')"`;

const hosts = hostsOfEachTest();
let opened: TestHost;

beforeEach(() => {
  const environment = { SERVER: 'of applies', PREVIEW_SERVER: 'of previews', API_TOKEN: 'hunter2-9f8e7d6c5b4a' };
  opened = hosts.openHost({ environment });
});

function aRoot(files: Readonly<Record<string, string>> = {}): Promise<TestJob> {
  return hosts.deploy({ 'main.tf': CONFIG, ...files });
}

describe('a check of a wave', () => {
  test('passes when its command does, and the host signs that', async () => {
    const order = await orderFor(await aRoot({ 'smoke.sh': 'test -f main.tf' }), { run: 'sh smoke.sh' });

    const answer = await check(order);

    const about = { pool: DEFAULT_POOL, waveCheckId: order.body.id, order: order.signature };
    const { body } = await testSignatures.open('result/wave-checked', answer, about);
    expect(body.failure).toBeUndefined();
  });

  test('fails when its command does, with the end of what that said', async () => {
    const order = await orderFor(await aRoot(), { run: 'echo begins; echo "no answer" >&2; exit 7' });

    expect(await check(order)).toMatchObject({
      body: { failure: { summary: 'run ended with exit code 7', lines: ['begins', 'no answer'] } },
    });
  });

  test('runs after the steps before the plan, with what a plan has, and finds its Terraform', async () => {
    const run = [
      'test "$SERVER" = "of applies"',
      'test -z "$PREVIEW_SERVER"',
      'test "$("$TERRAFORM" output -json)" = "{}"',
      'test "$PROJECT_NAME" = app || test -n "$PROJECT_NAME"',
    ].join(' && ');

    expect((await check(await orderFor(await aRoot(), { run }))).body.failure).toBeUndefined();
  });

  test('fails where a step before it does, and its command does not run', async () => {
    const order = await orderFor(await aRoot({ 'broken.tf': 'terraform {' }), { run: 'echo ran' });

    const { failure } = (await check(order)).body;
    expect(failure?.lines.join('\n')).not.toContain('ran');
    expect(failure?.summary).toMatch(/^Error: /);
  });

  test('fails when its time is over', async () => {
    const order = await orderFor(await aRoot(), { run: 'sleep 600', timeoutMs: 3_000 });

    expect((await check(order)).body.failure?.summary).toBe(
      'Run was stopped because it ran out of time; it ended at an interrupt',
    );
  });

  test.each<[string, string]>([
    ['makes files', 'mkdir -p .terraform && touch .terraform/left terraform.tfvars && echo >> main.tf'],
    ['makes folders that nobody may read', 'mkdir -p a/b "$HOME/a/b" /tmp/a/b && chmod 0 a "$HOME/a" /tmp/a'],
    ['makes folders that lie deeper than any path reaches', DEEPEN],
    ['makes a repository of its own', 'mkdir own && cp .git own/.git && ln -s /etc own/etc'],
    ['starts daemons', DAEMONS],
    ['starts a daemon that keeps its output open', `setsid sh -c "${STAYS}" & sleep 0.1`],
  ])('leaves nothing on the host, and no log, where its command %s', async (_what, run) => {
    const { body } = await check(await orderFor(await aRoot(), { run }));
    await opened.host.settled();

    expect(body.failure).toBeUndefined();
    expect(await hosts.deployments()).toEqual([]);
    expect(await commandLines()).not.toContain(MARK);
    expect(opened.host.slots.usage()).toMatchObject({ used: 0 });
    const next = await hosts.deploy({ 'main.tf': CONFIG }, { plan: [{ kind: 'run', run: 'ls -A | tr "\\n" " "' }] });
    await opened.plan(next);
    expect(await hosts.readLog(next)).toMatch(/^\.git main\.tf \S/);
  });

  test.each<[string, string]>([
    ['goes on without its output', `exec <&- >&- 2>&-; ${STAYS}`],
    ['starts hundreds of processes', `for _ in $(seq 300); do sleep ${MARK} & done; wait`],
  ])('ends with its time, where its command %s', async (_what, run) => {
    const { body } = await check(await orderFor(await aRoot(), { run, timeoutMs: 5_000 }));

    expect(body.failure?.summary).toMatch(/^Run was stopped because it ran out of time/);
    expect(await commandLines()).not.toContain(MARK);
    expect(opened.host.slots.usage()).toMatchObject({ used: 0 });
  });

  test.each<[string, string, unknown]>([
    ['a hundred megabytes without a line', 'head -c 100000000 /dev/zero', []],
    ['as many bytes of any kind', 'head -c 100000000 /dev/urandom', expect.anything()],
    [
      'terminal commands',
      String.raw`printf '\033[31mred\033[0m \033]0;title\007\rover\342\200\256\n'`,
      ['red', 'over'],
    ],
    ['a secret', 'echo "is $API_TOKEN" >&2', ['is ***']],
    ['a secret in base64', 'printf %s "$API_TOKEN" | base64', ['***E=']],
  ])('fails with little and harmless text, where its command prints %s', async (_what, prints, lines) => {
    const { body } = await check(await orderFor(await aRoot(), { run: `${prints}; exit 1` }));

    expect(body.failure).toEqual({ summary: 'run ended with exit code 1', lines });
    expect(JSON.stringify(body).length).toBeLessThan(64_000);
    expect(JSON.stringify(body)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe('nothing is run', () => {
  test.each<[string, (order: WaveCheckOrder) => Partial<WaveCheckOrder>]>([
    ['for another command than was ordered', ({ checking }) => ({ checking: { ...checking, run: 'echo other' } })],
    ['in another root than was ordered', ({ root }) => ({ root: { ...root, dir: 'other' } })],
  ])('%s', async (_what, change) => {
    const { body, signature } = await orderFor(await aRoot(), {});

    const changed = { body: { ...body, ...change(body) }, signature };
    await expect(check(changed)).rejects.toMatchObject({ type: 'FORGED', nonRetryable: true });
  });

  test('after the order has expired', async () => {
    const order = await orderFor(await aRoot(), { expiresAt: new Date(Date.now() - 1).toISOString() });

    await expect(check(order)).rejects.toMatchObject({ type: 'ORDER_EXPIRED' });
  });

  test('of a plan or an apply, with such an order', async () => {
    const job = await aRoot();
    const order = await orderFor(job, {});

    await expect(opened.plan({ ...job, order })).rejects.toMatchObject({ type: 'FORGED' });
  });
});

/** Of all processes of this machine. */
async function commandLines(): Promise<string> {
  return (await runCommand({ argv: ['ps', '-e', '-o', 'args'], env: { PATH: '/usr/bin:/bin' }, cwd: '/' })).stdout;
}

function check(order: Signed<WaveCheckOrder>): Promise<Signed<WaveChecked>> {
  return anActivity().run(() => opened.host.hostActivities.checkOnHost(order));
}

async function orderFor(
  { order: _its, deploymentId: _of, ...job }: TestJob,
  changes: Partial<WaveCheckOrder['checking']>,
): Promise<Signed<WaveCheckOrder>> {
  const [askedAt, expiresAt] = [0, 60_000].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string];
  const about = { rollout: `${job.revision.sha}/delivery`, wave: 1, check: 'smoke', timeoutMs: 60_000 };
  const checking = { ...about, run: 'true', askedAt, expiresAt, ...changes };
  const ordered = { ...job, id: randomUUID(), trigger: 'merge' } as const;
  return testSignatures.enclose('order/wave-check', { ...orderBody(job.repository, ordered), checking });
}
