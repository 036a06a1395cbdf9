import { describe, expect, test } from '@jest/globals';
import { aJob, aRoot, fixture, realTerraform, stepsWithLocalState, testdir } from '../../fixtures/fixture.ts';
import { listStateOfRoot } from './list-state-of-root.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const terraform = await realTerraform();

/** A root whose state holds this, and nothing else of which is left but its backend. */
async function rootWith(resources: readonly object[] | undefined, main = LOCAL) {
  const state = { version: 4, terraform_version: '1.11.4', serial: 3, lineage: 'a-lineage', outputs: {}, resources };
  const files = { 'tree/main.tf': main, ...(resources && { 'terraform.tfstate': JSON.stringify(state) }) };
  const folder = await testdir(files);
  const root = aRoot({ steps: stepsWithLocalState(folder.path) });
  return {
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    list: (more = {}) => listStateOfRoot({ ...aJob(folder.path, terraform, { root, ...more }).options }),
  };
}

function resource(name: string, more: object = {}): object {
  const provider = 'provider["terraform.io/builtin/terraform"]';
  const instances = [{ schema_version: 0, attributes: { id: 'the-id', input: 'a value that nobody may see' } }];
  return { mode: 'managed', type: 'terraform_data', name, provider, instances, ...more };
}

const KEYED = { instances: [{ index_key: 'my.data."x"]', schema_version: 0, attributes: {} }] };

describe('the state of a root', () => {
  test('is told by the addresses of its resources, and not by those that it only reads', async () => {
    const read = resource('read', { mode: 'data', type: 'terraform_remote_state' });
    const inModule = { module: 'module.a["data.b"].module.data' };
    await using root = await rootWith([
      ...[resource('base'), read, resource('keyed', KEYED)],
      ...[resource('inside', inModule), { ...read, ...inModule }],
    ]);

    const listed = await root.list();

    expect(listed).toMatchObject({ kind: 'listed', digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(listed.kind === 'listed' && listed.summary).toEqual({
      ...{ create: 0, update: 0, replace: 0, delete: 0, import: 0, move: 0, outputs: 0, omitted: 0 },
      forget: 3,
      resources: [
        { address: 'terraform_data.base', action: 'forget' },
        { address: 'terraform_data.keyed["my.data.\\"x\\"]"]', action: 'forget' },
        { address: 'module.a["data.b"].module.data.terraform_data.inside', action: 'forget' },
      ],
    });
    expect(JSON.stringify(listed)).not.toContain('a value');
  });

  test('of ten thousand resources is counted, and named in part', async () => {
    await using root = await rootWith(Array.from({ length: 10_000 }, (_none, n) => resource(`r${n}`)));

    const listed = await root.list();

    expect(listed).toMatchObject({ kind: 'listed', summary: { forget: 10_000, omitted: 9_800 } });
  });

  test('names no secret that its log hides', async () => {
    await using root = await rootWith([resource('hunter2')]);

    const hide = (output: Uint8Array) => Buffer.from(Buffer.from(output).toString().replaceAll('hunter2', '***'));

    expect(await root.list({ hide })).toMatchObject({ summary: { resources: [{ address: 'terraform_data.***' }] } });
  });

  test('that was never written holds nothing', async () => {
    await using root = await rootWith(undefined);

    expect(await root.list()).toMatchObject({ kind: 'listed', summary: { forget: 0, resources: [] } });
  });

  test('that cannot be read fails with the words of Terraform', async () => {
    await using root = await rootWith([], LOCAL.replace('local', 'nowhere'));

    expect(await root.list()).toMatchObject({
      kind: 'failed',
      failure: { summary: expect.stringContaining('Unsupported backend type') },
    });
  });

  test('that cannot be read is not empty because of its words', async () => {
    await using root = await rootWith([]);

    expect(await root.list({ binary: fixture('terraform-denies-state') })).toMatchObject({ kind: 'failed' });
  });

  test('of more addresses than anybody reads fails before they are read', async () => {
    await using root = await rootWith([]);

    const listed = await root.list({ binary: fixture('terraform-prints-100mb'), log: () => undefined });

    expect(listed).toMatchObject({
      failure: { summary: 'expected at most 8 MiB of addresses in the state, found more; split the root' },
    });
  });
});
