import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openRunningActivities, type RunningActivities } from './running-activities.ts';

const folder = folderOfEachTest();
let path: string;
let opened: RunningActivities[];

beforeEach(() => {
  path = join(folder, 'running');
  opened = [];
});

afterEach(() => {
  for (const one of opened) one.close();
});

const token = (text: string) => Buffer.from(text);

function open(): RunningActivities {
  const running = openRunningActivities(path);
  opened.push(running);
  return running;
}

const left = () => open().read().map(String);

test('the next process on the file finds the activities that had not ended, until it forgets them', () => {
  const running = open();
  const first = running.add(token('first'));
  running.add(token('second'));
  running.add(token('a third one'));
  running.remove(first);

  expect(left()).toEqual(['second', 'a third one']);
  open().clear();
  expect(left()).toEqual([]);
});

test('a slot is used again, so the file is as long as the most activities that ran at once', () => {
  const running = open();
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
  const running = open();

  expect(() => running.add(Buffer.alloc(2_047))).toThrow(RangeError);
  running.add(token('kept'));

  expect(left()).toEqual(['kept']);
});

test('a slot that was cut off is left out', () => {
  open().add(token('whole'));
  appendFileSync(path, Buffer.concat([Buffer.alloc(2_048 - 7), Buffer.from([0, 99]), token('cut')]));

  expect(left()).toEqual(['whole']);
});

test('a disk that fails throws, and costs at most the slot', () => {
  const failing = openRunningActivities(path);
  const slot = failing.add(token('first'));
  failing.close();

  expect(() => failing.add(token('second'))).toThrow('EBADF');
  expect(() => {
    failing.remove(slot);
  }).toThrow('EBADF');
  expect(left()).toEqual(['first']);
});
