import { describe, expect, test } from '@jest/globals';
import { englishIsReadOnce } from './english.ts';
import { markdownPassages } from './markdown-passages.ts';
import { sentencesOf } from './sentences.ts';
import { sourcePassages } from './source-passages.ts';

const words = (count: number) => `One ${Array.from({ length: count - 1 }, () => 'word').join(' ')}.`;

describe('a sentence of a page', () => {
  test.each([
    ['a clause as its subject', 'What waits ends.'],
    ['another one', 'Whoever asked gets an answer.'],
    ['a clause after "of"', 'It shows the title of what runs.'],
    ['"Of those" at its start', 'Of those deployments, one runs.'],
    ['an auxiliary alone', 'Strangers may nothing.'],
    ['"that of"', 'The key is that of the host.'],
    ['36 words', words(36)],
  ])('does not have %s', (_what, sentence) => {
    expect(problems('README.md', `# Title\n\nIt runs. ${sentence}\n`)).toHaveLength(1);
  });

  test.each([
    ['may be a question', 'What does it cost?'],
    ['may have 35 words', `It runs. ${words(35)}`],
    ['may have such a clause elsewhere', 'It says what to do.'],
    ['may have code of any kind', 'It prints `What waits`, and `that of`.'],
    ['may be a heading', '## What it is'],
  ])('%s', (_what, sentence) => {
    expect(problems('README.md', `${sentence}\n`)).toEqual([]);
  });
});

test('a page has 25 words in a sentence on average, at most', () => {
  expect(problems('README.md', `${words(26)} ${words(25)}`)).toHaveLength(1);
  expect(problems('README.md', `${words(26)} ${words(24)}`)).toEqual([]);
});

test('a cell of a table has 200 characters at most, without the addresses of its links', () => {
  const table = (cell: string) => `| A | B |\n| --- | --- |\n| a | ${cell} |\n`;

  expect(problems('README.md', table('x'.repeat(201)))).toHaveLength(1);
  expect(problems('README.md', table(`[${'x'.repeat(200)}](a.md)`))).toEqual([]);
});

test('comments of exported names are read, and no others', () => {
  const comments = '/** What waits ends. */\nexport const a = 1;\n\n/** What waits ends. */\nconst b = 2;\n';

  expect(problems('packages/git/src/a.ts', comments)).toHaveLength(1);
});

test('strings that are sentences are read, joined and with places to fill in', () => {
  const strings = 'const a = `What ${b} waits for is ` + "over at last";\nconst c = "what waits";';

  expect(sourcePassages(strings)).toEqual([{ kind: 'string', text: 'What X waits for is over at last' }]);
});

test('tests and fixtures are left alone', () => {
  const text = 'export const a = "What waits for a person ends at once";';

  expect(problems('packages/git/src/a.test.ts', text)).toEqual([]);
  expect(problems('packages/git/src/fixtures/README.md', 'What waits ends.')).toEqual([]);
});

test('a page is read by paragraphs, items and cells, without code and settings', () => {
  const page =
    '---\ntitle: a\n---\n# A\n\nOne\nline.\n\n- An [item](a.md)\n- **two**\n\n```sh\nx\n```\n\n| `a` | b |\n| --- | --- |\n';

  expect(markdownPassages(page)).toEqual([
    { kind: 'cell', text: 'CODE' },
    { kind: 'cell', text: 'b' },
    { kind: 'paragraph', text: 'One line.' },
    { kind: 'paragraph', text: 'An item' },
    { kind: 'paragraph', text: 'two' },
  ]);
});

test('a period within a name or a number ends no sentence', () => {
  expect(sentencesOf('It reads a.md, i.e. a page, in 1.5 s. Then it ends.')).toEqual([
    'It reads a.md, i.e. a page, in 1.5 s.',
    'Then it ends.',
  ]);
});

function problems(path: string, text: string): readonly string[] {
  return englishIsReadOnce([{ path, text }]);
}
