import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { appendFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRunningActivities } from './running-activities.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nereid-running-'));
  path = join(folder, 'running');
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const token = (text: string) => Buffer.from(text);
const left = () => openRunningActivities(path).takeAll().map(String);

test('the next process on the file finds the activities that had not ended, once', () => {
  const running = openRunningActivities(path);
  const first = running.add(token('first'));
  running.add(token('second'));
  running.add(token('a third one'));
  running.remove(first ?? -1);

  expect(left()).toEqual(['second', 'a third one']);
  expect(left()).toEqual([]);
});

test('a slot is used again, so the file is as long as the most activities that ran at once', () => {
  const running = openRunningActivities(path);
  const slots = ['a', 'b', 'c'].map((text) => running.add(token(text)));
  const { size } = statSync(path);
  for (let round = 0; round < 50; round += 1) {
    running.remove(slots.pop() ?? -1);
    slots.push(running.add(token('d')));
  }

  expect(statSync(path).size).toBe(size);
  expect(left()).toEqual(['a', 'b', 'd']);
});

test('a token that fits no slot is not kept, and spoils no other', () => {
  const running = openRunningActivities(path);

  expect(running.add(Buffer.alloc(2_047))).toBeUndefined();
  running.add(token('kept'));

  expect(left()).toEqual(['kept']);
});

test('a slot that was cut off is left out', () => {
  const running = openRunningActivities(path);
  running.add(token('whole'));
  running.close();
  appendFileSync(path, Buffer.concat([Buffer.alloc(2_048 - 7), Buffer.from([0, 99]), token('cut')]));

  expect(left()).toEqual(['whole']);
});
