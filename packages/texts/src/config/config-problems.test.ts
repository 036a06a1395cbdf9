import { expect, test } from '@jest/globals';
import { renderConfigProblems } from './config-problems.ts';

test('every problem is listed, with its line, in a fence', () => {
  const content = renderConfigProblems({
    headSha: 'abc',
    fileName: 'nereid.yaml',
    fileUrl: 'https://github.example/acme/infra/blob/abc/nereid.yaml',
    problems: [
      { path: 'roots[0].dir', line: 4, message: 'expected a directory of the repository, found "../x"' },
      { path: 'roots[1].nmae', line: 9, message: 'expected a known key, found "nmae"; did you mean "name"?' },
      { path: '', message: '``` <script>' },
    ],
  });

  expect(content).toMatchObject({
    name: 'nereid/config',
    status: 'completed',
    conclusion: 'failure',
    title: 'nereid.yaml: 3 problems',
  });
  expect(content.summary).toContain(
    [
      '````text',
      'nereid.yaml:4 roots[0].dir expected a directory of the repository, found "../x"',
      'nereid.yaml:9 roots[1].nmae expected a known key, found "nmae"; did you mean "name"?',
      'nereid.yaml ``` <script>',
      '````',
    ].join('\n'),
  );
});
