import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { zipSync } from 'fflate';
import { testdir } from '../../fixtures/fixture.ts';
import { readStateVersion } from './read-state-version.ts';

async function versionIn(content: Uint8Array): Promise<string | undefined> {
  await using folder = await testdir({});
  const file = path.join(folder.path, 'plan');
  await writeFile(file, content);
  return await readStateVersion(file);
}

const aPlan = (state: string) =>
  zipSync({ tfplan: new Uint8Array(200_000).fill(7), tfstate: Buffer.from(state), 'tfstate-prev': Buffer.from('{}') });

const head = (serial: string, lineage: string) =>
  `{\n  "version": 4,\n  "terraform_version": "1.11.4",\n  "serial": ${serial},\n  "lineage": "${lineage}",\n  "outputs": {`;

const manyFiles = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_none, n) => [`f${n}`, new Uint8Array()]));

/** The zip with another compression method in all of its headers. */
function withMethod(method: number, zip: Uint8Array): Uint8Array {
  const changed = Buffer.from(zip);
  for (const [signature, at] of [
    ['PK\u0001\u0002', 10],
    ['PK\u0003\u0004', 8],
  ] as const) {
    for (let from = changed.indexOf(signature); from !== -1; from = changed.indexOf(signature, from + 4))
      changed.writeUInt16LE(method, from + at);
  }
  return changed;
}

test('a plan names the state that it was made of, however large that is', async () => {
  expect(await versionIn(aPlan(`${head('12', '1f9f1e10-ce68')}"a":"${'x'.repeat(3_000_000)}"}}`))).toBe(
    '12 1f9f1e10-ce68',
  );
});

test('the state of a root that has none is the same for every plan', async () => {
  expect(await versionIn(aPlan(`${head('0', '')}}}`))).toBe('0 ');
});

test('a file that cannot be read is a failure of the host', async () => {
  await using folder = await testdir({});

  await expect(readStateVersion(path.join(folder.path, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each<[string, Uint8Array]>([
  ['is no zip, because it is encrypted', Buffer.from('{"encrypted":"…"}')],
  ['is empty', Buffer.alloc(0)],
  ['is cut off', aPlan(head('1', 'a')).subarray(0, 300)],
  ['has another file in its place', aPlan('words')],
  ['has a lineage of words', aPlan(head('1', 'a lineage with spaces'))],
  ['has a serial that is no number', aPlan(head('"1"', 'a'))],
  [
    'has its state behind thousands of other files',
    zipSync({ ...manyFiles(20_000), tfstate: Buffer.from(head('1', 'a')) }, { level: 0 }),
  ],
  ['is compressed by an unknown method', withMethod(77, aPlan(head('1', 'a')))],
  ['is not what its table of contents says', withMethod(0, aPlan(head('1', 'a')))],
  ['has no table of contents', aPlan(head('1', 'a')).subarray(0, -22)],
  [
    'has a compressed state that is broken',
    aPlan(head('1', 'a'.repeat(90))).map((byte, at) => (at > 60 ? byte ^ 1 : byte)),
  ],
])('nobody knows the state of a plan that %s', async (_what, content) => {
  expect(await versionIn(content)).toBeUndefined();
});
