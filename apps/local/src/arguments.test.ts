import { expect, test } from '@jest/globals';
import { readArguments } from './arguments.ts';

test('without arguments it is the demo, stored in folders', () => {
  expect(readArguments([], {})).toEqual({ kind: 'play', play: 'demo', storage: 'folder' });
  expect(readArguments([], { STORAGE: '' })).toEqual({ kind: 'play', play: 'demo', storage: 'folder' });
});

test('--once plays the story, STORAGE=s3 stores on S3', () => {
  expect(readArguments(['--once'], { STORAGE: 's3' })).toEqual({ kind: 'play', play: 'once', storage: 's3' });
});

test('--reset removes what the demo keeps', () => {
  expect(readArguments(['--reset'], {})).toEqual({ kind: 'reset' });
});

test.each([
  [['--twice'], {}, 'expected --once or nothing, found --twice'],
  [['--once', '--once'], {}, 'expected --once or nothing, found --once --once'],
  [[], { STORAGE: 'tape' }, 'expected STORAGE to be folder or s3, found tape'],
])('what it does not know is refused with what it does: %j %j', (args, env, message) => {
  const read = readArguments(args, env);

  expect(read).toMatchObject({ kind: 'invalid' });
  expect(read.kind === 'invalid' && read.message).toContain(`${message}\n\nusage: make demo`);
});
