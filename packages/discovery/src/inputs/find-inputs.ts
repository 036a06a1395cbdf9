/**
 * Finds the inputs of roots, wide: planning a root for nothing costs a second, and a root that is not planned is a change that
 * everybody believes deployed.
 *
 * Inputs are the files of its directory and of every local module that it reaches, what strings in these name, its variable files,
 * and what links on the way lead to. Where a path or the source of a module is known only once Terraform evaluates it, every
 * file of the repository is an input.
 */
import { defined } from '@nereid/domain/defined';
import type { Root, Step } from '@nereid/domain/root';
import { realPath } from '../links.ts';
import type { RepositoryRoots } from '../repository-roots.ts';
import { createBelow, pathBelow } from '../paths.ts';
import { createPathCollector } from '../terraform/named-paths.ts';
import { collectFromTemplate } from '../terraform/paths-in-hcl.ts';
import type { TerraformFacts } from '../terraform/terraform-facts.ts';
import { inputsOfDirectory, isDocumentation, joined, type DirectoryInputs } from './directory-inputs.ts';
import { createLinkFollower } from './linked.ts';
import type { RootInputs } from './root-inputs.ts';

/** A root in the directory where it really is. */
export interface RootToRead {
  readonly root: Pick<Root, 'varFiles' | 'steps' | 'distribution'>;
  readonly place: string;
  /** The links on the way to it. */
  readonly through: readonly string[];
}

export function createInputsFinder(found: RepositoryRoots): (root: RootToRead) => RootInputs {
  const { survey, links, graphs, facts } = found;
  const nestedIn = createBelow(new Set(found.roots.map(({ place }) => place)));
  const follow = createLinkFollower(links, survey.submodules);
  const known = { terraform: new Map<string, DirectoryInputs>(), tofu: new Map<string, DirectoryInputs>() };

  const directory = (dir: string, distribution: Root['distribution']): DirectoryInputs | undefined => {
    const uses = graphs[distribution].uses.get(dir);
    const before = known[distribution].get(dir);
    if (before !== undefined || uses === undefined) return before;
    const nested = nestedIn(dir);
    const isNews = (path: string) =>
      survey.dirs.has(path) || nested.some((other) => path === other || pathBelow(other, path) !== undefined);
    const inputs = inputsOfDirectory(dir, uses, survey.parents.has(dir) ? isNews : undefined);
    known[distribution].set(dir, inputs);
    return inputs;
  };

  const variablesOf = (place: string, varFiles: readonly string[]) => {
    const own = survey.variables.get(place)?.map(({ path }) => path) ?? [];
    const all = [...own, ...joined(place, varFiles)].map((path) => realPath(path, links));
    return [...new Set(all)].flatMap((path) => facts.get(path) ?? []);
  };

  return ({ root, place, through }) => {
    const reached = reach(place, (dir) => directory(dir, root.distribution)?.modules ?? []);
    const partsOf = (dirs: readonly string[]) => dirs.flatMap((dir) => directory(dir, root.distribution) ?? []);
    const parts = partsOf(reached);
    const settings = pathsOfSettings(root, variablesOf(place, root.varFiles));
    const isCrowded = nestedIn(place).length > 0;
    const fromModules = partsOf(reached.slice(1)).flatMap(({ climbing, staying }) => [
      ...climbing,
      ...staying.filter((path) => isCrowded || isDocumentation(path)),
    ]);
    const named = new Set([
      ...through,
      ...joined(place, [...root.varFiles, ...settings.paths, ...fromModules]),
      ...parts.flatMap((part) => part.named),
    ]);
    const linked = follow([...reached, ...named]);
    const opaque = [
      settings.opaque,
      ...parts.map((part) => part.opaque),
      linked.leaving && `${linked.leaving} leads out of the repository`,
    ];
    const everything = parts.find((part) => part.everything !== undefined)?.everything;
    const why = everything ?? opaque.find((one) => one !== undefined);
    return {
      ...defined({ everything, opaque: why }),
      directories: reached,
      named: [...named, ...linked.places],
      others: [...new Set(reached.flatMap((dir) => nestedIn(dir)))],
      hasDocumentation: parts.some(({ listsFolders }) => listsFolders),
      hasTofu: root.distribution === 'tofu',
    };
  };
}

/** The directory itself first, then every module, each once. */
function reach(place: string, modulesOf: (dir: string) => readonly string[]): readonly string[] {
  const reached = new Set([place]);
  for (const dir of reached) for (const module of modulesOf(dir)) reached.add(module);
  return [...reached];
}

function textsOf(step: Step): readonly string[] {
  if ('extraArgs' in step) return step.extraArgs;
  if ('run' in step) return [step.run];
  return 'value' in step ? [step.value] : [];
}

/** What its variable files, and the arguments and commands of its steps name. */
function pathsOfSettings(
  { steps }: RootToRead['root'],
  variables: readonly TerraformFacts[],
): { readonly paths: readonly string[]; readonly opaque?: string } {
  const collector = createPathCollector();
  for (const step of [...steps.plan, ...steps.apply]) {
    if ('run' in step) collector.opaque('a step that runs a command');
    for (const text of textsOf(step)) collectFromTemplate(text, collector);
  }
  const { opaque = unreadIn(variables), ...ofSteps } = collector.paths();
  const all = [ofSteps, ...variables];
  return {
    paths: all.flatMap(({ besideModule, staying, climbing }) => [...besideModule, ...staying, ...climbing]),
    ...defined({ opaque }),
  };
}

function unreadIn(variables: readonly TerraformFacts[]): string | undefined {
  const unread = variables.map(({ computed, opaque }) => computed ?? opaque).find((one) => one !== undefined);
  return unread === undefined ? undefined : `a file of variables has ${unread}`;
}
