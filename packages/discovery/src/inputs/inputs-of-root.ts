import type { Root } from '@nereid/domain/root';
import { isConfigFile } from '../config-files.ts';
import { followLinks } from '../links.ts';
import { readRepositoryRoots, type ReadableTree, type RootsSource } from '../repository-roots.ts';
import { joined } from './directory-inputs.ts';
import { createInputsFinder } from './find-inputs.ts';
import { everythingBecause, type RootInputs } from './root-inputs.ts';

export interface InputsSource extends RootsSource {
  readonly root: Pick<Root, 'dir' | 'varFiles' | 'steps' | 'distribution'>;
}

/**
 * The inputs of a root as it was ordered, at one revision. Where the repository's file cannot be read, the other roots are those
 * that are found without it.
 */
export async function inputsOfRoot({ root, ...source }: InputsSource): Promise<RootInputs> {
  const reading = { isComplete: true, variables: joined(root.dir, root.varFiles) };
  const declared = await readRepositoryRoots(source, reading);
  const found =
    declared.kind === 'roots'
      ? declared
      : await readRepositoryRoots({ ...source, tree: withoutFile(source.tree) }, reading);
  if (found.kind === 'problems') return everythingBecause('the other roots of this revision cannot be found');
  const followed = followLinks(root.dir, found.links);
  if (followed.kind === 'outside') return everythingBecause(`${followed.link} leads out of the repository`);
  return createInputsFinder(found)({ root, place: followed.path, through: followed.through });
}

function withoutFile(tree: ReadableTree): ReadableTree {
  return {
    ...tree,
    async listing() {
      const files = (await tree.listing()).split('\0').slice(0, -1);
      return files.flatMap((file) => (isConfigFile(file.slice(file.indexOf('\t') + 1)) ? [] : `${file}\0`)).join('');
    },
  };
}
