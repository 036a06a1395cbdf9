import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { fixture } from '../../../fixtures/fixture.ts';
import { createOutputReader } from './output-reader.ts';

test('the counts of an apply are found, however the output is cut into chunks', async () => {
  const said = await readFile(fixture('terraform-1.11.4-apply.txt'));
  const reader = createOutputReader();

  for (const byte of said) reader.read(Uint8Array.of(byte));

  expect(reader.appliedCounts()).toEqual({ added: 3, changed: 1, destroyed: 2, imported: 1 });
});

test('what a provisioner or an output says is not taken for the counts', () => {
  const reader = createOutputReader();

  reader.read(Buffer.from('a (local-exec): Apply complete! Resources: 9 added, 9 changed, 9 destroyed.\n'));
  reader.read(Buffer.from('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.\n'));
  reader.read(Buffer.from('Apply complete! Resources: 9 added, 9 changed, 9 destroyed.\n'));

  expect(reader.appliedCounts()).toEqual({ added: 1, changed: 0, destroyed: 0, imported: 0 });
});

test('only the last 64 KiB are remembered', () => {
  const reader = createOutputReader();

  for (let index = 0; index < 100; index += 1) reader.read(Buffer.alloc(50_000, index));

  expect(reader.tail()).toHaveLength(64 * 1024);
  expect(reader.tail().at(-1)).toBe(99);
});

test.each([
  ['where the output that is remembered begins', 128 * 1024],
  ['where the output that is shown begins', 64 * 1024],
])('no half of a secret is left %s', (_where, bytes) => {
  const secret = 'hunter2-9f8e7d6c';
  const mask = (output: Uint8Array) => Buffer.from(Buffer.from(output).toString().replaceAll(secret, '***'));
  const reader = createOutputReader(mask);

  for (const part of ['a'.repeat(1_000), secret, 'b'.repeat(bytes - 8)]) reader.read(Buffer.from(part));

  expect(Buffer.from(reader.tail()).toString().replaceAll(/a+|b+/g, '')).toMatch(/^\**$/);
});
