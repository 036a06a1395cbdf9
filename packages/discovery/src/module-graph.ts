/**
 * The directories that use other directories as modules: a change in a module is a change in everything that reaches it.
 *
 * Terraform and OpenTofu load different files of a directory, so each has a graph of its own.
 */
import { defined } from '@nereid/domain/defined';
import { configurationNames, type Distribution } from '@nereid/hcl';
import type { TreeFile } from '@nereid/git';
import { followLinks, type Links } from './links.ts';
import { joinPath, nameOf } from './paths.ts';
import type { TerraformFacts } from './terraform/terraform-facts.ts';
import type { TreeSurvey } from './tree-survey.ts';

export interface ModuleGraph {
  /** Directories with a `backend` or `cloud` block. */
  readonly backends: ReadonlySet<string>;
  /** Directories with files that the program loads. */
  readonly configured: ReadonlySet<string>;
  /** By directory; absent for a directory without configuration. */
  readonly uses: ReadonlyMap<string, Uses>;
  /** The places of all modules, also of those that are gone. */
  readonly used: ReadonlySet<string>;
}

/** A link may have another name than the file that is read. */
export type LoadedFile = readonly [path: string, facts: TerraformFacts, name: string];

/** The modules and paths that the files of one directory use. */
export interface Uses {
  /** The places of its local modules. */
  readonly modules: readonly string[];
  /** Links on the way to them, and the files that are behind links of this directory. */
  readonly through: readonly string[];
  /** The files that the program loads, with what is known of each. */
  readonly files: readonly LoadedFile[];
  /** A link that leaves the repository, or a file that was not read. */
  readonly unknown?: string;
}

export type ModuleGraphs = Readonly<Record<Distribution, ModuleGraph>>;

export interface GraphSource {
  readonly survey: TreeSurvey;
  readonly facts: ReadonlyMap<string, TerraformFacts>;
  readonly links: Links;
  /** `owner/name`. */
  readonly repository: string | undefined;
}

export function buildModuleGraphs(source: GraphSource): ModuleGraphs {
  const tofu = buildModuleGraph(source, 'tofu');
  return { tofu, terraform: source.survey.hasTofu ? buildModuleGraph(source, 'terraform') : tofu };
}

function buildModuleGraph(source: GraphSource, distribution: Distribution): ModuleGraph {
  const { survey } = source;
  const backends = new Set<string>();
  const uses = new Map<string, Uses>();
  const used = new Set<string>();
  for (const [dir, files] of survey.terraform) {
    const loaded = loadedOf(files, survey.hasTofu, distribution);
    if (loaded.length === 0) continue;
    const found = usesOf(dir, loaded, source);
    uses.set(dir, found);
    if (found.files.some(([, { hasBackend }]) => hasBackend)) backends.add(dir);
    for (const module of found.modules) used.add(module);
  }
  return { backends, configured: new Set(uses.keys()), uses, used };
}

function loadedOf(files: readonly TreeFile[], hasTofu: boolean, distribution: Distribution): readonly TreeFile[] {
  if (!hasTofu) return files;
  const names = new Set(
    configurationNames(
      files.map(({ path }) => nameOf(path)),
      distribution,
    ),
  );
  return files.filter(({ path }) => names.has(nameOf(path)));
}

function usesOf(dir: string, loaded: readonly TreeFile[], { facts, links, repository }: GraphSource): Uses {
  const modules = new Set<string>();
  const through = new Set<string>();
  const files: LoadedFile[] = [];
  let unknown: string | undefined;
  for (const { path, kind } of loaded) {
    const followed = kind === 'link' ? followLinks(path, links) : undefined;
    const read = followed?.kind === 'inside' ? followed.path : path;
    if (read !== path) through.add(read);
    const known = facts.get(read);
    if (known === undefined) unknown ??= path;
    else files.push([read, known, nameOf(path)]);
    const places = (known?.modules ?? []).map((module) => placeOf(dir, module, links));
    const own = (known?.inRepositories ?? []).flatMap((module) => folderOf(module, repository) ?? []);
    for (const place of [...places, ...own.map((folder) => placeOf('.', folder, links))]) {
      if (place === undefined) unknown ??= path;
      else {
        modules.add(place.path);
        for (const link of place.through) through.add(link);
      }
    }
  }
  return { modules: [...modules], through: [...through], files, ...defined({ unknown }) };
}

/** The module's directory, and the links that lead there; undefined outside of the repository. */
function placeOf(dir: string, source: string, links: Links) {
  const named = joinPath(dir, source);
  const followed = named === undefined ? undefined : followLinks(named, links);
  return followed?.kind === 'inside' ? followed : undefined;
}

/**
 * The folder of a module that a root fetches from its own repository as it is then: a merge changes it as it would a local one. Undefined
 * for other repositories, and for a version or a commit that stays what it is.
 */
function folderOf(source: string, repository: string | undefined): string | undefined {
  const { name = '', folder, query = '' } = IN_REPOSITORY.exec(source)?.groups ?? {};
  if (name.toLowerCase() !== repository?.toLowerCase()) return undefined;
  const ref = new URLSearchParams(query).get('ref') ?? '';
  return STAYING.test(ref) ? undefined : folder;
}

const IN_REPOSITORY = /[/:](?<name>[^/:]+\/[^/:]+?)(?:\.git)?\/\/(?<folder>[^?]+)(?:\?(?<query>.*))?$/;
const STAYING = /^(?:[\da-f]{7,64}$|refs\/tags\/)|\d\.\d/;
