/** The Helm chart as files, for tests that do without Helm. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY, readRepositoryFile } from '../../repository.ts';
import { parse } from 'yaml';

/** From the top of the repository. */
export const CHART = 'apps/chart';

const EXAMPLES = 'apps/chart/examples';

export type Values = Readonly<Record<string, unknown>>;

export async function readValues(file = `${CHART}/values.yaml`): Promise<Values> {
  return parse(await readRepositoryFile(file)) as Values; // Its own schema is checked by the tests.
}

/** The values files of the examples, from the top of the repository. */
export const EXAMPLE_FILES: readonly string[] = ['minimal', 'aws', 'google', 'azure', 'hosts-only', 'company'].map(
  (name) => `${EXAMPLES}/${name}.yaml`,
);

/** As Helm does: mappings are merged, everything else is replaced, and null removes. */
export function mergeValues(defaults: Values, given: Values): Values {
  const merged: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    const before = merged[name];
    if (value === null) Reflect.deleteProperty(merged, name);
    else merged[name] = isMapping(before) && isMapping(value) ? mergeValues(before, value) : value;
  }
  return merged;
}

export function isMapping(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All templates as one text. */
export async function readTemplates(): Promise<string> {
  const entries = await readdir(path.join(REPOSITORY, CHART, 'templates'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  const texts = await Promise.all(files.map((file) => readRepositoryFile(path.relative(REPOSITORY, file))));
  return texts.join('\n');
}

/** The files that each process reads from its Secret, by variable. */
export async function secretFiles(process: 'gateway' | 'console' | 'control' | 'hosts') {
  const settings = (await readValues())[process] as { readonly secretFiles: Readonly<Record<string, string>> };
  return settings.secretFiles;
}
