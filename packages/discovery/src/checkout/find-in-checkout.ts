/** One root of a folder, as its repository declares it or as it is discovered. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryPolicy, RootConfig } from '@nereid/config';
import { createIsPresent } from '../change/presence.ts';
import { CONFIG_FILES } from '../config-files.ts';
import { describeUnknownNames } from '../find-roots.ts';
import { createParsedFiles } from '../parsed-files.ts';
import { readRepositoryRoots, type Problems } from '../repository-roots.ts';
import { readCheckout } from './checkout-tree.ts';

export type FoundInCheckout =
  | {
      readonly kind: 'found';
      readonly config: RootConfig;
      readonly realDir: string;
      /** The file in which it is declared; absent for a root that is discovered. */
      readonly declaredIn?: { readonly file: string; readonly text: string };
    }
  /** `sentence` gives the nearest known name, and the names of the existing roots. */
  | { readonly kind: 'unknown'; readonly sentence: string }
  | Problems;

export async function findInCheckout(
  folder: string,
  policy: RepositoryPolicy,
  rootName: string,
): Promise<FoundInCheckout> {
  const tree = await readCheckout(folder);
  const found = await readRepositoryRoots({ tree, policy, parsed: createParsedFiles() });
  if (found.kind === 'problems') return found;
  const present = found.roots.filter(createIsPresent(found, policy));
  const root = present.find(({ config }) => config.name === rootName);
  if (root === undefined) {
    const names = present.map(({ config }) => config.name);
    return { kind: 'unknown', sentence: describeUnknownNames([rootName], names) };
  }
  const { config, place } = root;
  const main = CONFIG_FILES.find((name) => found.survey.top.has(name));
  const file = config.dirAt && (config.dirAt.file ?? main);
  const text = file === undefined ? undefined : await readFile(join(folder, file), 'utf8');
  const declaredIn = file !== undefined && text !== undefined ? { file, text } : undefined;
  return { kind: 'found', config, realDir: place, ...(declaredIn && { declaredIn }) };
}
