import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLogText, type Segment } from './log-text.ts';

describe('colours', () => {
  test.each([
    [
      '\u001b[31mred\u001b[0m plain',
      [
        ['red', 'fg-1'],
        [' plain', ''],
      ],
    ],
    ['\u001b[1m\u001b[32m+ create\u001b[0m\u001b[0m', [['+ create', 'bold fg-2']]],
    [
      '\u001b[1;4;97;41mall\u001b[22;24;39;49m none',
      [
        ['all', 'bold underline fg-15 bg-1'],
        [' none', ''],
      ],
    ],
    [
      '\u001b[38;5;9mbright\u001b[38;5;200m same',
      [
        ['bright', 'fg-9'],
        [' same', 'fg-9'],
      ],
    ],
    ['\u001b[38;2;1;31;4mno number of a colour is a command', [['no number of a colour is a command', '']]],
  ])('the colours of %j are shown as the log has them', (output, segments) => {
    expect(shown(output)).toEqual(segments);
  });
});

describe('every other command to a terminal is dropped', () => {
  test.each([
    ['clear\u001b[2J\u001b[H screen', 'clear screen'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['bell\u0007 back\u0008 null\u0000', 'bell back null'],
    ['line\r\nline\rline\n', 'line\nline\nline\n'],
    ['\u009b31m', '31m'],
  ])('%j is shown as %j', (output, text) => {
    expect(textOf(shown(output))).toBe(text);
  });
});

test('a command that never ends does not swallow the log', () => {
  const text = createLogText();
  text.add(Buffer.from(`\u001b]0;${'x'.repeat(300)}`));

  expect(textOf(text.add(Buffer.from('after\n')))).toContain('after');
});

test.each([
  ['colours that never end', `\u001b[${'38;'.repeat(500_000)}`],
  ['one colour made of a million', `\u001b[${'38;5;'.repeat(300_000)}m`],
  ['parameters that never end', `\u001b[${'?'.repeat(1_500_000)}`],
  ['a title that never ends', `\u001b]${'x'.repeat(1_500_000)}`],
  ['beginnings of commands', '\u001b['.repeat(500_000)],
])('%s take no longer than other text', (_what, output) => {
  const text = createLogText();

  text.add(Buffer.from(output));

  expect(textOf(text.add(Buffer.from('\nafter\n')))).toContain('after');
});

test('markup is text: nothing here makes HTML', () => {
  expect(shown('</script><b>"\n')).toEqual([['</script><b>"\n', '']]);
});

test('what is not UTF-8 is shown as such, and nothing else is lost', () => {
  const text = createLogText();

  expect(text.add(Uint8Array.of(0x61, 0xff, 0xfe, 0x62, 0x0a))).toEqual([['a\ufffd\ufffdb\n', '']]);
});

test('where the pieces end makes no difference', () => {
  const output = Buffer.from('a\u001b[1;31m€uro 🦀\u001b[0m\r\n\u001b]0;t\u0007b\u001b[38;5;2mc\n');
  fc.assert(
    fc.property(fc.array(fc.nat(output.length)), (cuts) => {
      const text = createLogText();
      const places = [0, ...cuts.toSorted((a, b) => a - b), output.length];
      const segments = places.slice(1).flatMap((end, index) => text.add(output.subarray(places[index], end)));

      expect(joined(segments)).toEqual(joined(shown(output)));
    }),
  );
});

function shown(output: string | Uint8Array): readonly Segment[] {
  return createLogText().add(Buffer.from(output));
}

function textOf(segments: readonly Segment[]): string {
  return segments.map(([text]) => text).join('');
}

/** Each character with its look. */
function joined(segments: readonly Segment[]): readonly string[] {
  return segments.flatMap(([text, classes]) => Array.from(text, (character) => `${character} ${classes}`));
}
