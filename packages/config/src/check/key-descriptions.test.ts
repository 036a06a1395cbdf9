/** The tables of keys in the pages say what the schemas say. `UPDATE_GOLDEN=1` writes their cells again; whoever adds a key adds its row. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { format } from 'prettier';
import { jsonSchemaOf, keysOfFile } from './json-schema.ts';

const DOCS = path.join(import.meta.dirname, '../../../../apps/docs');
const PRETTIER = path.join(import.meta.dirname, '../../../../.config/prettier.json');

const PAGES = [
  'reference/server-file.md',
  'reference/repository-file.md',
  'reference/console.md',
  'guides/policies.md',
  'guides/windows.md',
  'guides/budgets.md',
  'guides/waves.md',
  'guides/reviews.md',
  'guides/pools.md',
];

/** A head that begins with a key, a rule, and rows. */
const TABLES = /^(\| Key[^|]*\|[^|]*\|.*\n\|.*\n)((?:\|.*\n)+)/gm;

const KEYS = [...keysOfFile('server'), ...keysOfFile('repository')];

const ROWS = new Set(PAGES.flatMap((page) => rowsOf(readPage(page))));

test.each(PAGES)('the tables of keys of %s are as the schema has them', async (page) => {
  const options: object = JSON.parse(readFileSync(PRETTIER, 'utf8')) as object; // Ours.
  const fresh = await format(withTexts(page), { ...options, parser: 'markdown' });
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(DOCS, page), fresh);
  else expect(readPage(page)).toBe(fresh);
});

test('every key that takes values has a row', () => {
  const without = KEYS.filter(({ path: key, values }) => values !== undefined && rowFor(key) === undefined);

  expect(without.map(({ path: key }) => key)).toEqual([]);
});

test.each(['server', 'repository'] as const)('every key of the schema (%s) has a description', (name) => {
  expect(keysWithout(jsonSchemaOf(name), '')).toEqual([]);
});

function readPage(page: string): string {
  return readFileSync(path.join(DOCS, page), 'utf8');
}

/** The keys that a row of the page is about. */
function rowsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(TABLES)).flatMap(([, head = '', rows = '']) =>
    rows.split('\n').flatMap((row) => keysIn(head, row)),
  );
}

function withTexts(page: string): string {
  return readPage(page).replaceAll(TABLES, (_table, head: string, rows: string) => {
    const fresh = rows
      .trimEnd()
      .split('\n')
      .map((row) => rowOf(page, head, row));
    return `${head}${fresh.join('\n')}\n`;
  });
}

function rowOf(page: string, head: string, row: string): string {
  const texts = new Set(keysIn(head, row).flatMap((key) => textsOf(key, isOfRules(head))));
  if (texts.size !== 1) throw new Error(`expected one text for ${row}, found ${[...texts].join(' and ') || 'none'}`);
  const [, first = ''] = row.split('|');
  const [text = ''] = texts;
  return `|${first}| ${relativeTo(page, text)} |`;
}

/** The cells behind the names of the key; undefined values are not shown. */
function textsOf(row: string, isOfRule: boolean): readonly string[] {
  return KEYS.filter(({ path: key }) => rowFor(key) === row).map(({ description, values }) =>
    (isOfRule ? [description] : [values ?? '', description]).map((text) => text.replaceAll('|', '\\|')).join(' | '),
  );
}

/** The row with the longest end of the path. */
function rowFor(key: string): string | undefined {
  const parts = key.split('.');
  return parts.map((_part, index) => parts.slice(index).join('.')).find((end) => ROWS.has(end));
}

/** Rules stand below `permissions`, steps below a job, and their tables leave that out. */
function keysIn(head: string, row: string): readonly string[] {
  const names = Array.from((row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g), ([, name = '']) => name);
  if (isOfRules(head)) return names.map((name) => `permissions.${name}`);
  if (!head.startsWith('| Key of a step ')) return names;
  return names.flatMap((name) => {
    if (name === 'extra_args') return [name];
    return ['name', 'value'].includes(name) ? [`env.${name}`] : [`plan.${name}`, `apply.${name}`];
  });
}

function isOfRules(head: string): boolean {
  return head.includes('| Checked when ');
}

/** Links in the schema begin at the top of the documentation. */
function relativeTo(page: string, text: string): string {
  return text.replaceAll(/\]\((?!https?:)([^#)]+)(#[^)]*)?\)/g, (_link, target: string, place = '') =>
    target === page ? `](${place})` : `](${path.posix.relative(path.posix.dirname(page), target)}${place})`,
  );
}

function keysWithout(schema: unknown, at: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]: [string, unknown]) => {
    if (name !== 'properties') return keysWithout(value, at);
    return Object.entries(value as Readonly<Record<string, object>>).flatMap(([key, inside]) => [
      ...('description' in inside ? [] : [`${at}.${key}`]),
      ...keysWithout(inside, `${at}.${key}`),
    ]);
  });
}
