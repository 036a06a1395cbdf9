import { expect, test } from '@jest/globals';
import { readArguments } from './arguments.ts';

test('without arguments it is the demo, stored in folders', () => {
  const demo = { kind: 'play', play: 'demo', hasHistory: false, storage: 'folder' };
  expect(readArguments([], {})).toEqual(demo);
  expect(readArguments([], { STORAGE: '' })).toEqual(demo);
});

test('--once plays the story, STORAGE=s3 stores on S3', () => {
  expect(readArguments(['--once'], { STORAGE: 's3' })).toMatchObject({ play: 'once', storage: 's3' });
});

test('--history adds a made-up week to the demo', () => {
  expect(readArguments(['--history'], {})).toMatchObject({ play: 'demo', hasHistory: true });
});

test('--reset removes what the demo keeps', () => {
  expect(readArguments(['--reset'], {})).toEqual({ kind: 'reset' });
});

test.each([
  [['--twice'], {}, 'expected --once, --history or nothing, found --twice'],
  [['--once', '--history'], {}, 'expected --once, --history or nothing, found --once --history'],
  [[], { STORAGE: 'tape' }, 'expected STORAGE to be folder or s3, found tape'],
])('what it does not know is refused with what it does: %j %j', (args, env, message) => {
  const read = readArguments(args, env);

  expect(read).toMatchObject({ kind: 'invalid' });
  expect(read.kind === 'invalid' && read.message).toContain(`${message}\n\nusage: make demo`);
});
