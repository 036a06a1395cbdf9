/** Editors show of a key what its page says. `UPDATE_GOLDEN=1` takes the tables of the pages over. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { format } from 'prettier';
import { jsonSchemaOf } from './json-schema.ts';
import { KEY_DESCRIPTIONS } from './key-descriptions.ts';

const DOCS = path.join(import.meta.dirname, '../../../../apps/docs');
const PRETTIER = path.join(import.meta.dirname, '../../../../.config/prettier.json');
const FILE = path.join(import.meta.dirname, 'key-descriptions.ts');
const HEAD = `/** The meaning of each key, by its path: from the tables of keys in apps/docs. Written by key-descriptions.test.ts. */
export const KEY_DESCRIPTIONS: Readonly<Record<string, string>> = `;

test('the description of each key is that of its page', async () => {
  const documented = documentedKeys();
  if (process.env['UPDATE_GOLDEN'] === '1') {
    const options: object = JSON.parse(readFileSync(PRETTIER, 'utf8')) as object; // Ours.
    writeFileSync(FILE, await format(`${HEAD}${JSON.stringify(documented)};\n`, { ...options, parser: 'typescript' }));
    return;
  }

  expect(KEY_DESCRIPTIONS).toEqual(documented);
});

test.each(['server', 'repository'] as const)('every key of the schema (%s) has a description', (name) => {
  expect(keysWithout(jsonSchemaOf(name), '')).toEqual([]);
});

function documentedKeys(): Readonly<Record<string, string>> {
  const pages = [
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
  return Object.fromEntries(pages.flatMap((page) => keysOf(readFileSync(path.join(DOCS, page), 'utf8'))));
}

/** The last column of a table of keys says what a key means. */
function keysOf(text: string): readonly (readonly [string, string])[] {
  const tables = text.matchAll(/^\| (Key[^|]*?) +\| ([^|]*?) +\|.*\n\|.*\n((?:\|.*\n)+)/gm);
  return Array.from(tables).flatMap(([, head = '', second = '', rows = '']) =>
    rows
      .trimEnd()
      .split('\n')
      .flatMap((row) => {
        const cells = row.replaceAll('\\|', '¦').split('|').slice(1, -1);
        const names = Array.from((cells[0] ?? '').matchAll(/`([^`]+)`/g), ([, name = '']) => name);
        const text = plain(cells.at(-1) ?? '') || plain(cells[1] ?? '');
        return names.flatMap((name) => pathsOf(name, head, second).map((key) => [key, text] as const));
      }),
  );
}

/** Rules stand below `permissions`, steps below a job, and their tables leave that out. */
function pathsOf(name: string, head: string, second: string): readonly string[] {
  if (second === 'Checked when') return [`permissions.${name}`];
  if (head !== 'Key of a step' || name === 'extra_args') return [name];
  return ['name', 'value'].includes(name) ? [`env.${name}`] : [`plan.${name}`, `apply.${name}`];
}

/** Without links and emphasis, which editors do not show. */
function plain(markdown: string): string {
  return markdown
    .replaceAll('¦', '|')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .trim();
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
