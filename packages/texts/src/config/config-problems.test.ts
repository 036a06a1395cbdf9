import { expect, test } from '@jest/globals';
import { renderConfigProblems } from './config-problems.ts';

const SUBJECT = {
  headSha: 'abc',
  fileName: 'nereid.yaml',
  fileUrl: 'https://github.example/acme/infra/blob/abc/nereid.yaml',
};

test('every problem is listed, with its line, in a fence', () => {
  const content = renderConfigProblems({
    ...SUBJECT,
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

test('a problem of an included file has the name of that file', () => {
  const problem = { file: 'roots/net.yaml', path: 'roots[0].dir', line: 3, message: 'expected another directory' };
  const { summary } = renderConfigProblems({ ...SUBJECT, problems: [problem] });

  expect(summary).toContain('roots/net.yaml:3 roots[0].dir expected another directory');
});
