/** Plans that real Terraform and OpenTofu printed, as pages show them. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { NO_CHANGES } from '@nereid/domain/plan';
import { planParts } from '@nereid/texts';
import { foldRows } from './rows/fold-rows.ts';
import { planItems } from './plan-items.ts';
import { createEffort, rowsOf, textOf } from './rows/text-rows.ts';

const FOLDER = new URL('fixtures/', import.meta.url);
const NAMES = (await readdir(FOLDER)).filter((name) => name.endsWith('.txt')).map((name) => name.replace('.txt', ''));

const readText = (name: string) => readFile(new URL(`${name}.txt`, FOLDER), 'utf8');

function shownText(text: string): string {
  const parts = planParts(text);
  const { resources, outputs } = parts;
  expect(resources.size).toBeGreaterThan(0);
  const effort = createEffort();
  const shown = (lines: readonly string[]) =>
    foldRows(rowsOf(lines, effort)).flatMap(({ rows, isFolded }) =>
      isFolded ? [`  … ${rows.length} lines`] : rows.map((row) => `${row.mark}${textOf(row)}`.trimEnd()),
    );
  const items = planItems({ ...NO_CHANGES, resources: [], omitted: 0 }, parts);
  return [
    ...items.flatMap(({ name, action, lines = [] }) => [`${action.toUpperCase()} ${name}`, ...shown(lines), '']),
    ...(outputs.length > 0 ? ['OUTPUTS', ...shown(outputs)] : []),
  ].join('\n');
}

test.each(NAMES)('%s', async (name) => {
  const shown = shownText(await readText(name));

  const golden = new URL(`golden/${name}.golden`, import.meta.url);
  if (process.env['UPDATE_GOLDEN']) await writeFile(golden, shown);
  expect(shown).toBe(await readFile(golden, 'utf8'));
});

test.each(NAMES)('%s shows no sensitive value, alone or beside another plan', async (name) => {
  expect(await readText(name)).not.toContain('CANARY');
});
