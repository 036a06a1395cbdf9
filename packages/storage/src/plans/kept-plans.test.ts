import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aFolder } from '../testing.ts';
import { createKeptPlans, KeptPlanMissingError, KeptPlanUnreadableError, type PlanToKeep } from './kept-plans.ts';
import { InvalidPlanKeyError } from './plan-keys.ts';

const key = randomBytes(32);
const PLAN = Buffer.from('the plan');

let store: ObjectStore;

beforeEach(async () => {
  store = createFileStore(await aFolder());
});

test('a kept plan comes back with all that belongs to it', async () => {
  const plan = await aPlan({ 'build/lambda.zip': randomBytes(200_000), 'empty.txt': '' });
  const target = await aFolder();
  await writeFile(join(target, '.terraform.lock.hcl'), 'the lock of the revision');
  await createKeptPlans(store, [key]).of('default').keep('d1', plan);

  const fetched = await createKeptPlans(store, [key]).of('default').fetch('d1', target);

  const planDigest = createHash('sha256').update(PLAN).digest('hex');
  expect(fetched).toEqual({ planFile: 'job.tfplan', planDigest, env: plan.env, description: plan.description });
  expect(await filesOf(target)).toEqual(await filesOf(plan.folder));
});

test('links are kept as links and the mode of files as it was', async () => {
  const plan = await aPlan({});
  await writeFile(join(plan.folder, 'run.sh'), '#!/bin/sh', { mode: 0o755 });
  await symlink('run.sh', join(plan.folder, 'latest.sh'));
  const target = await aFolder();
  await createKeptPlans(store, [key])
    .of('default')
    .keep('d1', { ...plan, untracked: ['latest.sh', 'run.sh'] });

  await createKeptPlans(store, [key]).of('default').fetch('d1', target);

  expect(await readlink(join(target, 'latest.sh'))).toBe('run.sh');
  expect((await stat(join(target, 'run.sh'))).mode & 0o777).toBe(0o755);
});

test('nothing of a kept plan can be read in the store', async () => {
  await createKeptPlans(store, [key])
    .of('default')
    .keep('d1', await aPlan({}));

  const stored = Buffer.from((await store.get('plans/default/d1'))?.body ?? []).toString('latin1');

  for (const secret of ['the plan', 'provider', 'hunter2', 'job.tfplan', '/trees/d1'])
    expect(stored).not.toContain(secret);
});

test('after a new key came first, plans kept with the old one are still read', async () => {
  await createKeptPlans(store, [key])
    .of('default')
    .keep('d1', await aPlan({}));

  const rotated = createKeptPlans(store, [randomBytes(32), key]).of('default');

  expect((await rotated.fetch('d1', await aFolder())).planFile).toBe('job.tfplan');
});

test('a plan whose untracked files are too big is not kept', async () => {
  const plan = await aPlan({ large: Buffer.alloc(50 * 1024 * 1024 + 1) });

  const keeping = await createKeptPlans(store, [key]).of('default').keep('d1', plan);

  const why = 'the files that belong to the plan have 52428809 bytes, more than 52428800';
  expect(keeping).toEqual({ kind: 'not-movable', why });
  expect(await store.get('plans/default/d1')).toBeUndefined();
});

test('a plan whose lock file is too big is not kept', async () => {
  const plan = await aPlan({});
  await truncate(join(plan.folder, '.terraform.lock.hcl'), 2 ** 40);

  const keeping = await createKeptPlans(store, [key]).of('default').keep('d1', plan);

  expect(keeping).toMatchObject({ kind: 'not-movable', why: expect.stringContaining('1099511627776 bytes') });
});

test('a plan of more files than its table of contents has room for is not kept', async () => {
  const longest = 'x'.repeat(255);
  const plan = await aPlan({ [longest]: '' });
  const untracked = Array.from({ length: 30_000 }, () => longest);

  const keeping = await createKeptPlans(store, [key])
    .of('default')
    .keep('d1', { ...plan, untracked });

  expect(keeping).toMatchObject({
    kind: 'not-movable',
    why: expect.stringMatching(/^the names of its 30002 files have \d+ bytes, more than 8388608$/),
  });
});

test('a plan with a file that nobody may read is not kept', async () => {
  const plan = await aPlan({ closed: '' });
  await chmod(join(plan.folder, 'closed'), 0o000);

  const keeping = await createKeptPlans(store, [key]).of('default').keep('d1', plan);

  expect(keeping).toEqual({ kind: 'not-movable', why: '"closed" is a file that nobody may read' });
});

test('a plan with a repository inside its tree, which git lists as a folder, is not kept', async () => {
  const plan = await aPlan({ 'modules/vpc/main.tf': '' });

  const keeping = await createKeptPlans(store, [key])
    .of('default')
    .keep('d1', { ...plan, untracked: ['modules/vpc/'] });

  expect(keeping).toEqual({ kind: 'not-movable', why: '"modules/vpc/" is neither a file nor a link of its folder' });
  expect(await store.get('plans/default/d1')).toBeUndefined();
});

test('a plan is missing when it was never kept, or removed', async () => {
  const plans = createKeptPlans(store, [key]).of('default');
  await plans.keep('d1', await aPlan({}));
  await plans.remove('d1');
  await plans.remove('d1');

  await expect(plans.fetch('d1', await aFolder())).rejects.toThrow(KeptPlanMissingError);
});

describe('a plan is unreadable, and the folder stays as it is', () => {
  test.each<[string, (stored: Buffer) => Buffer]>([
    ['a byte in the middle was changed', (stored) => flipped(stored, stored.length >> 1)],
    ['its header was changed', (stored) => flipped(stored, 20)],
    ['its last byte was changed', (stored) => flipped(stored, stored.length - 1)],
    ['it was cut off', (stored) => stored.subarray(0, -1)],
    ['it was cut off between two frames', (stored) => stored.subarray(0, 45 + 2 * (64 * 1024 + 16))],
    ['it was cut off in its header', (stored) => stored.subarray(0, 10)],
    ['something was added', (stored) => Buffer.concat([stored, Buffer.from('x')])],
    ['two frames changed places', exchanged],
    ['it is empty', () => Buffer.alloc(0)],
  ])('a plan is unreadable when %s', async (_why, change) => {
    const plans = createKeptPlans(store, [key]).of('default');
    await plans.keep('d1', await aPlan({ large: randomBytes(300_000) }));
    const stored = Buffer.from((await store.get('plans/default/d1'))?.body ?? []);
    await store.put('plans/default/d1', change(stored));
    const target = await aFolder();

    await expect(plans.fetch('d1', target)).rejects.toThrow(KeptPlanUnreadableError);
    expect(await readdir(target)).toEqual([]);
  });

  test('when its key is gone', async () => {
    await createKeptPlans(store, [key])
      .of('default')
      .keep('d1', await aPlan({}));

    const other = createKeptPlans(store, [randomBytes(32)]).of('default');

    await expect(other.fetch('d1', await aFolder())).rejects.toThrow('is not among the configured ones');
  });

  test('when it was put in the place of another', async () => {
    const plans = createKeptPlans(store, [key]).of('default');
    await plans.keep('d1', await aPlan({}));
    await store.put('plans/default/d2', (await store.get('plans/default/d1'))?.body ?? Buffer.alloc(0));

    await expect(plans.fetch('d2', await aFolder())).rejects.toThrow(KeptPlanUnreadableError);
  });
});

test('a file is not written through a link that leads elsewhere', async () => {
  const plan = await aPlan({ 'build/lambda.zip': 'zip' });
  const [target, outside] = [await aFolder(), await aFolder()];
  await symlink(outside, join(target, 'build'));
  const plans = createKeptPlans(store, [key]).of('default');
  await plans.keep('d1', plan);

  await expect(plans.fetch('d1', target)).rejects.toThrow(KeptPlanUnreadableError);
  expect(await readdir(outside)).toEqual([]);
});

test.each(['../up', '/etc/passwd', 'a/../../b', '.'])('a path like %s is not kept', async (path) => {
  const plan = await aPlan({});
  const plans = createKeptPlans(store, [key]).of('default');

  expect(await plans.keep('d1', { ...plan, untracked: [path] })).toMatchObject({ kind: 'not-movable' });
});

test('a file behind a link is not kept, whatever code of the root put in the place of its directory', async () => {
  const plan = await aPlan({});
  const secrets = await aFolder();
  await writeFile(join(secrets, 'orders-key'), 'the key');
  await symlink(secrets, join(plan.folder, 'a'));
  const plans = createKeptPlans(store, [key]).of('default');

  expect(await plans.keep('d1', { ...plan, untracked: ['a/orders-key'] })).toMatchObject({
    kind: 'not-movable',
    why: expect.stringContaining('a/orders-key'),
  });
  await expect(plans.fetch('d1', plan.folder)).rejects.toMatchObject({ code: 'KEPT_PLAN_MISSING' });
});

test('a key of another length, or none, is refused at once', () => {
  expect(() => createKeptPlans(store, [randomBytes(16)]).of('default')).toThrow(InvalidPlanKeyError);
  expect(() => createKeptPlans(store, []).of('default')).toThrow(InvalidPlanKeyError);
});

async function aPlan(untracked: Readonly<Record<string, string | Uint8Array>>): Promise<PlanToKeep> {
  const folder = await aFolder();
  const files = { 'job.tfplan': PLAN, '.terraform.lock.hcl': 'provider', ...untracked };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return {
    folder,
    planFile: 'job.tfplan',
    lockFile: '.terraform.lock.hcl',
    untracked: Object.keys(untracked),
    env: { TF_VAR_password: 'hunter2' },
    description: {
      path: '/trees/d1/tree/infra',
      terraformVersion: '1.11.4',
      distribution: 'terraform',
      lockFileDigest: 'f'.repeat(64),
    },
  };
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(
    paths.sort().map(async (path) => [path.slice(folder.length), await readFile(path, 'hex')] as const),
  );
  return Object.fromEntries(contents);
}

function flipped(bytes: Buffer, index: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
  return changed;
}

/** The second and the third frame behind a header of 45 bytes. */
function exchanged(bytes: Buffer): Buffer {
  const size = 64 * 1024 + 16;
  const frame = (index: number) => bytes.subarray(45 + index * size, 45 + (index + 1) * size);
  return Buffer.concat([bytes.subarray(0, 45), frame(0), frame(2), frame(1), bytes.subarray(45 + 3 * size)]);
}
