/**
 * The roots of a revision: roots that the repository's file declares, and discovered roots.
 *
 * A directory is a discovered root if its configuration has a `backend` or `cloud` block, or if it has a `.terraform.lock.hcl`
 * and no other directory uses it as a module. Its configuration are the files that its program loads: OpenTofu or Terraform.
 */
import {
  environmentFileOf,
  nameDiscoveredRoots,
  rootNameOf,
  rootsProblem,
  settingsFor,
  unknownDependencies,
  type Problem,
  type RepositoryConfig,
  type RepositoryPolicy,
  type RootConfig,
} from '@nereid/config';
import type { Root } from '@nereid/domain/root';
import { parseListing, type RevisionTree, type TreeFile } from '@nereid/git';
import { CONFIG_FILES, type ConfigFile } from './config-files.ts';
import { followLinks, realPath, type Links } from './links.ts';
import { withTwins, type PlacedRoot } from './placed-root.ts';
import { buildModuleGraphs, type ModuleGraphs } from './module-graph.ts';
import { joinPath } from './paths.ts';
import { parseTerraform, readTargets, type ParsedFiles } from './parsed-files.ts';
import { readConfig } from './config/read-config.ts';
import type { TerraformFacts } from './terraform/terraform-facts.ts';
import { refuseSharedStates } from './states/shared-states.ts';
import { refuseWrapped } from './wrappers/refuse-wrapped.ts';
import { surveyTree, type TreeSurvey } from './tree-survey.ts';
import { withVariableFiles } from './variable-files.ts';
import { createPatternCompiler } from './patterns/when-modified.ts';

export interface RepositoryRoots {
  readonly kind: 'roots';
  readonly roots: readonly PlacedRoot[];
  /** The one that declares them, or that could. */
  readonly file: ConfigFile;
  readonly survey: TreeSurvey;
  readonly graphs: ModuleGraphs;
  /** What is known of the files that were read, by path. */
  readonly facts: ReadonlyMap<string, TerraformFacts>;
  readonly links: Links;
  readonly autodiscover: RepositoryConfig['autodiscover'];
  readonly isDiscovering: boolean;
  /** Whether a path is the repository's file, or one that it includes, in this revision or another one with the same patterns. */
  readonly isConfigFile: (path: string) => boolean;
  readonly warnings: readonly Problem[];
}

/** A revision as far as it is in the mirror. */
export type ReadableTree = Pick<RevisionTree, 'listing' | 'contents'>;

export interface RootsSource {
  readonly tree: ReadableTree;
  readonly policy: RepositoryPolicy;
  readonly parsed: ParsedFiles;
}

/** The repository's configuration is invalid: all its problems. */
export interface Problems {
  readonly kind: 'problems';
  /** The file that has them, or that could solve them. */
  readonly file: ConfigFile;
  readonly problems: readonly Problem[];
}

export interface Reading {
  /** Read the files of Terraform also where every root is declared with its `when_modified`. */
  readonly isComplete?: boolean;
  /** Further files with variables, by path. */
  readonly variables?: readonly string[];
}

export async function readRepositoryRoots(
  { tree, policy, parsed }: RootsSource,
  { isComplete = false, variables = [] }: Reading = {},
): Promise<RepositoryRoots | Problems> {
  const survey = surveyTree(parseListing(await tree.listing()));
  const { read, file, isConfigFile } = await readConfig(tree, survey, policy);
  const refuse = (problems: readonly Problem[]): Problems => ({
    kind: 'problems',
    file: file ?? 'nereid.yaml',
    problems,
  });
  if (read.kind === 'invalid') return refuse(read.problems);
  const misnamed = misnamedConfigs(survey);
  const unread = misnamed.filter(({ instead }) => file === undefined || isBefore(instead, file));
  if (unread.length > 0) return refuse(unread.map(({ problem }) => problem));
  const { config } = read;

  const links = await readTargets(tree, survey.links, parsed);
  const isDiscovering = discovers(config);
  const isNeeded = isComplete || isDiscovering || config.roots.some((root) => root.whenModified === undefined);
  const named = [
    ...variables,
    ...config.roots.flatMap((root) => root.varFiles.flatMap((file) => joinPath(root.dir, file) ?? [])),
  ];
  const facts = await parseTerraform(tree, isNeeded ? filesToParse(survey, named, links) : [], parsed);
  const graphs = buildModuleGraphs({ survey, facts: facts.values, links, repository: policy.repository });

  const found = isDiscovering ? discoverConfigs(survey, graphs, config, policy) : [];
  const configs = [...config.roots, ...found];
  const tooMany = rootsProblem(configs.length);
  if (tooMany) return refuse([tooMany]);
  const placed = placeRoots(configs, { survey, links });
  if (placed.problems.length > 0) return refuse(placed.problems);
  const unknown = isDiscovering && config.source === 'nereid.yaml' ? unknownDependencies(configs) : [];
  if (unknown.length > 0) return refuse(unknown);
  return {
    kind: 'roots',
    roots: refuseWrapped(refuseSharedStates(withTwins(placed.roots), graphs, policy), {
      wrapped: survey.wrapped,
      policy,
      file: file ?? 'nereid.yaml',
    }),
    file: file ?? 'nereid.yaml',
    survey,
    graphs,
    facts: facts.values,
    links,
    autodiscover: config.autodiscover,
    isDiscovering,
    isConfigFile,
    warnings: [...read.warnings, ...misnamed.map(({ problem }) => problem), ...facts.unread.map(unreadWarning)],
  };
}

/** Linux cannot check out a longer path, so nothing could be deployed from there. */
const PATH_LIMIT = 4_096;

/** The directories that discovery takes for roots, including those that are declared as well. */
function discoverDirectories(
  survey: TreeSurvey,
  graphs: ModuleGraphs,
  autodiscover: RepositoryConfig['autodiscover'],
  policy: RepositoryPolicy,
): readonly string[] {
  const isIgnored = createPatternCompiler()('.', autodiscover.ignore);
  const graphOf = (dir: string) => graphs[survey.hasTofu ? distributionIn(policy, dir) : policy.distribution];
  return [...survey.terraform.keys()]
    .filter((dir) => {
      const { backends, configured, used } = graphOf(dir);
      return backends.has(dir) || (survey.locked.has(dir) && configured.has(dir) && !used.has(dir));
    })
    .filter((dir) => dir.length <= PATH_LIMIT && !isIgnored(dir))
    .toSorted();
}

/** Of a root with the name of its directory. */
function distributionIn(policy: RepositoryPolicy, dir: string): Root['distribution'] {
  return settingsFor(policy, { name: rootNameOf(dir), dirs: [dir] }).distribution ?? policy.distribution;
}

/** `auto` discovers roots only if the file declares none. */
function discovers({ autodiscover: { mode }, roots }: RepositoryConfig): boolean {
  return mode === 'enabled' || (mode === 'auto' && roots.length === 0);
}

/** Configuration and files with variables, whose names are free where a root names them. */
function filesToParse(survey: TreeSurvey, variables: readonly string[], links: Links): readonly TreeFile[] {
  const named = new Set(variables.map((path) => realPath(path, links)));
  const files = [...survey.terraform.values(), ...survey.variables.values()].flat();
  const others = named.size === 0 ? [] : survey.files.filter(({ path }) => named.has(path));
  const all = new Map([...files, ...others].map((file) => [file.path, file]));
  return [...all.values()].filter((file) => file.kind === 'file');
}

function discoverConfigs(
  survey: TreeSurvey,
  graphs: ModuleGraphs,
  config: RepositoryConfig,
  policy: RepositoryPolicy,
): readonly RootConfig[] {
  const declared = new Set(config.roots.map((root) => root.dir));
  const dirs = discoverDirectories(survey, graphs, config.autodiscover, policy).filter((dir) => !declared.has(dir));
  const taken = config.roots.map((root) => root.name);
  return [...nameDiscoveredRoots(dirs, taken)].map(([dir, name]) => ({
    name,
    dir,
    workspace: 'default',
    enabled: true,
    varFiles: [],
    ...(config.source === 'atlantis.yaml' && { varFilesIfThere: [environmentFileOf('default')] }),
  }));
}

function placeRoots(
  configs: readonly RootConfig[],
  found: { readonly survey: TreeSurvey; readonly links: Links },
): { readonly roots: readonly PlacedRoot[]; readonly problems: readonly Problem[] } {
  const roots: PlacedRoot[] = [];
  const problems: Problem[] = [];
  for (const config of configs) {
    const followed = followLinks(config.dir, found.links);
    if (followed.kind === 'inside') {
      const { path: place, through } = followed;
      roots.push({ config: withVariableFiles(config, place, found), place, through });
    } else problems.push(outsideProblem(config, followed.link, followed.target));
  }
  return { roots, problems };
}

/** A problem at the line that names the directory; a discovered root has no line. */
function outsideProblem({ name, dir, dirAt }: RootConfig, link: string, target: string): Problem {
  return {
    ...(dirAt ?? { path: '' }),
    message:
      `expected the directory of root ${name} to be inside the repository, found that ${quote(dir)} passes through the ` +
      `symbolic link ${quote(link)} to ${quote(target)}; name a directory of this repository`,
  };
}

interface Misnamed {
  readonly instead: ConfigFile;
  readonly problem: Problem;
}

/** Files that are not read because of their spelling. Without them, roots would be deployed otherwise than they say; Atlantis refuses them, too. */
function misnamedConfigs({ top }: TreeSurvey): readonly Misnamed[] {
  return CONFIG_FILES.flatMap((instead) =>
    [...top.keys()]
      .filter((name) => name !== instead && name.toLowerCase().replace(/\.yml$/, '.yaml') === instead)
      .map((name) => ({
        instead,
        problem: {
          path: '',
          message: `expected ${instead}, found ${name}, which is not read; ${top.has(instead) ? `move what it says to ${instead}, and delete it` : 'rename it'}`,
        },
      })),
  );
}

/** Whether a file would count in place of the other. */
function isBefore(one: ConfigFile, other: ConfigFile): boolean {
  return CONFIG_FILES.indexOf(one) < CONFIG_FILES.indexOf(other);
}

function unreadWarning(path: string): Problem {
  return {
    path: '',
    message: `expected files of at most 1 MiB, found that ${quote(path)} is larger and was not searched for modules and backends; split it`,
  };
}

/** Long enough to recognise a path, and never more than one line. */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
