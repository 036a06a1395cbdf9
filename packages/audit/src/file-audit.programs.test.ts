import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEvent } from '@nereid/domain/trail';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { beforeEach, expect, test } from '@jest/globals';
import { AuditUnavailableError } from './errors.ts';
import { createFileAudit } from './file-audit.ts';
import { anEventWithId } from './fixtures/an-event.ts';

const RECORDS = join(import.meta.dirname, 'fixtures', 'records.ts');

const folder = folderOfEachTest();
let path: string;

beforeEach(() => {
  path = join(folder, 'audit.jsonl');
});

test('an event is found again by a process that started later', async () => {
  await createFileAudit(path).record(anEventWithId('a'));

  await createFileAudit(path).record(anEventWithId('a'));

  expect(await idsInFile()).toEqual(['a']);
});

test('an event that another process recorded meanwhile is not recorded again', async () => {
  const audit = createFileAudit(path);
  await audit.record(anEventWithId('a'));
  await createFileAudit(path).record(anEventWithId('b'));

  await audit.record(anEventWithId('b'));

  expect(await idsInFile()).toEqual(['a', 'b']);
});

test('several processes that record the same events write each once, each on its line', async () => {
  const children = Array.from({ length: 4 }, () => fork(RECORDS, [path, '50']));
  await Promise.all(children.map(exitCode));

  expect((await idsInFile()).sort()).toEqual(Array.from({ length: 50 }, (_, index) => `event-${index}`).sort());
});

test('a line that a crash cut off stays, and its event is recorded below', async () => {
  await writeFile(path, `${JSON.stringify(anEventWithId('a'))}\n${JSON.stringify(anEventWithId('b')).slice(0, 60)}`);

  await createFileAudit(path).record(anEventWithId('b'));

  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[2] ?? '')).toEqual(anEventWithId('b'));
});

test('lines that are no events are left alone', async () => {
  await writeFile(path, 'null\n[1]\nnot json\n{"id":7}\n');
  await createFileAudit(path).record(anEventWithId('a'));

  expect(await readFile(path, 'utf8')).toMatch(/^null\n\[1\]\nnot json\n\{"id":7\}\n\{"version":1,"id":"a"/);
});

test('a repeated event is found behind a megabyte of others only', async () => {
  const filler = `${JSON.stringify({ id: 'filler', text: 'x'.repeat(500) })}\n`;
  const audit = createFileAudit(path);
  await audit.record(anEventWithId('old'));
  await appendFile(path, filler.repeat(1_000));
  await createFileAudit(path).record(anEventWithId('old'));
  await appendFile(path, filler.repeat(3_000));

  await createFileAudit(path).record(anEventWithId('old'));

  expect((await idsInFile()).filter((id) => id === 'old')).toHaveLength(2);
});

test('a file that was rotated away is begun again', async () => {
  const audit = createFileAudit(path);
  await audit.record(anEventWithId('a'));
  await rename(path, `${path}.1`);

  await audit.record(anEventWithId('b'));
  await audit.record(anEventWithId('b'));

  expect(await idsInFile()).toEqual(['b']);
});

test('a file that cannot be written is unavailable, and is tried again', async () => {
  await writeFile(join(folder, 'in-the-way'), '');
  const audit = createFileAudit(join(folder, 'in-the-way', 'audit.jsonl'));

  await expect(audit.record(anEventWithId('a'))).rejects.toThrow(AuditUnavailableError);
  await rm(join(folder, 'in-the-way'));
  await audit.record(anEventWithId('a'));
});

async function idsInFile(): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as AuditEvent).id); // Written by the tests.
}

async function exitCode(child: ChildProcess): Promise<void> {
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
}
