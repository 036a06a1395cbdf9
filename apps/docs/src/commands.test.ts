/** People copy commands from pages: each verb, option and target is one that exists. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { verbHelp } from '@nereid/cli/help';
import { VERBS } from '@nereid/cli/verbs';

const DOCS = path.dirname(import.meta.dirname);
const TOP = path.join(DOCS, '../..');

/** By page: lines of its blocks, with continued ones in one, and code within its sentences. */
const PIECES = [...globSync('{*,*/*}.md', { cwd: DOCS }), '../../README.md'].flatMap((page) => {
  const text = readFileSync(path.join(DOCS, page), 'utf8');
  const blocks = Array.from(text.matchAll(/^ *```(?:sh|console)\n([\s\S]*?)^ *```$/gm), ([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  const inline = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);
  return [...lines, ...inline].map((code) => ({ page, code: code.replace(/ #.*$/, '') }));
});

/** Commands of comments on GitHub are called `nereid`, too. */
const IN_COMMENTS = new Set(['apply', 'force-unlock', 'help']);

test('each verb of nereid is one, with its options', () => {
  const used = PIECES.flatMap(({ page, code }) =>
    Array.from(code.matchAll(/(?:^|[|&;$(]\s*)nereid ([a-z][a-z-]*)([^|&;]*)/g), ([, verb = '', rest = '']) => {
      return { page, verb, options: Array.from(rest.matchAll(/(?<= )--([a-z][a-z-]*)/g), ([, name = '']) => name) };
    }),
  );
  const problems = used.flatMap(({ page, verb, options }) => {
    const known = VERBS.find(({ name }) => name === verb);
    if (known === undefined) return IN_COMMENTS.has(verb) ? [] : [`${page}: nereid ${verb}`];
    const help = verbHelp(known);
    return options.filter((name) => !help.includes(` --${name} `)).map((name) => `${page}: nereid ${verb} --${name}`);
  });

  expect(used.length).toBeGreaterThan(50);
  expect(problems).toEqual([]);
});

test('make docs says how to look at the site', () => {
  const [recipe = ''] = /^docs:.*\n(?:\t.*\n)+/m.exec(readFileSync(path.join(TOP, 'Makefile'), 'utf8')) ?? [];
  const { scripts } = JSON.parse(readFileSync(path.join(DOCS, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };

  expect(recipe).toContain('npm run preview -w @nereid/docs');
  expect(scripts).toHaveProperty('preview');
});

test('the first guide looks at Compose before it makes anything', () => {
  const guide = readFileSync(path.join(DOCS, 'start/first-repository.md'), 'utf8');

  expect(guide.indexOf('docker compose version')).toBeGreaterThan(0);
  expect(guide.indexOf('docker compose version')).toBeLessThan(guide.indexOf('\nnereid setup'));
});

test('each target of make is one', () => {
  const targets = new Set(
    Array.from(readFileSync(path.join(TOP, 'Makefile'), 'utf8').matchAll(/^([a-z-]+):/gm), ([, name = '']) => name),
  );
  const used = PIECES.flatMap(({ page, code }) =>
    Array.from(code.matchAll(/(?:^|[&;=\w] )make ([a-z][a-z-]*)/g), ([, target = '']) => ({ page, target })),
  );

  expect(used.length).toBeGreaterThan(10);
  expect(used.filter(({ target }) => !targets.has(target))).toEqual([]);
});
