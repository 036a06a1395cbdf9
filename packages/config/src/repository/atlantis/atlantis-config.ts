/**
 * Reads `atlantis.yaml` into our normalised form, so that a repository can move to Nereid without changing its file.
 *
 * A key that has no counterpart or is not allowed here becomes a warning that names it. A file that Atlantis accepts is refused
 * only where a warning could deploy something else: for another workspace than the one that is written, and beyond our limits.
 * Scalars are read as Go reads them: by the type of the field, not by the look of the value.
 */
import { defined } from '@nereid/domain/defined';
import { posix } from 'node:path';
import { withDependencies } from './atlantis-ordering.ts';
import { judgeWorkflow, type Judging } from './atlantis-workflow.ts';
import {
  AUTODISCOVER_KEYS,
  AUTOPLAN_KEYS,
  FILE_KEYS,
  FILE_KEYS_ELSEWHERE,
  PROJECT_KEYS,
  PROJECT_KEYS_ELSEWHERE,
} from './atlantis-keys.ts';
import {
  booleanAt,
  integerAt,
  isEmpty,
  listAt,
  mappingAt,
  namesAt,
  textOf,
  warnOfOthers,
  type Mapping,
} from './atlantis-values.ts';
import { normaliseDir } from '../normalise-repository.ts';
import type { RepositoryPolicy } from '../../server/repository-policy/policy.ts';
import { describeValue, quote, type Path } from '../../yaml/problem.ts';
import { createReport, type Report } from '../../yaml/report.ts';
import { isMapping } from '../../yaml/sound.ts';
import type { Autodiscover, RepositoryConfig, RepositoryConfigRead, RootConfig } from '../repository-config.ts';
import { LIST_LIMIT } from '../repository-limits.ts';
import { isCheap, refusedOverrides, staysInside } from '../repository-rules.ts';
import { isRootName, keyOf, rootNameOf, withHash } from '../root-name.ts';
import { WORKSPACE, WORKSPACE_EXPECTED } from '../workspace.ts';
import { TEXT_LIMIT } from '../../yaml/schema.ts';
import { readYaml } from '../../yaml/yaml-source.ts';

export function readAtlantisConfig(text: string, policy: RepositoryPolicy): RepositoryConfigRead {
  const yaml = readYaml(text, { scalars: 'text', furtherDocuments: 'ignored', example: 'version: 3' });
  if (yaml.kind === 'invalid') return yaml;
  const report = createReport(yaml.source);
  const config = readFile(yaml.source.value, policy, report);

  const problems = report.problems();
  if (problems.length > 0) return { kind: 'invalid', problems };
  return { kind: 'ok', config, warnings: report.warnings() };
}

function readFile(value: unknown, policy: RepositoryPolicy, report: Report): RepositoryConfig {
  const file = mappingAt([], value, report);
  checkVersion(file['version'], report);
  warnOfOthers([], file, FILE_KEYS, report, FILE_KEYS_ELSEWHERE);
  const projects = listAt(['projects'], file['projects'], report);
  const read = projects.flatMap((project, index) => {
    if (isMapping(project)) return [readProject(['projects', index], project, report)];
    report.error(['projects', index], `expected a mapping, found ${describeValue(project)}`);
    return [];
  });
  const judging = { policy, definitions: file['workflows'] };
  const roots = distinct(read, report).map((root, index) => {
    const path = ['projects', index];
    return withWorkflow(withoutRefused(root, policy, path, report), judging, path, report);
  });
  const mappings = projects.filter(isMapping);
  const named = roots.map((root, index) => {
    const project = mappings[index] ?? {};
    const dependsOn = namesAt(['projects', index, 'depends_on'], project['depends_on'], report);
    return { root, name: textOf(project['name']), dependsOn };
  });
  return {
    source: 'atlantis.yaml',
    roots: withDependencies(named, report),
    autodiscover: readAutodiscover(['autodiscover'], file['autodiscover'], report),
  };
}

/** Atlantis also accepts 2, which splits commands differently from 3. Here that is no difference: commands are the server's. */
function checkVersion(version: unknown, report: Report): void {
  if (version === '3') return;
  const expected = "expected 3, the version of Atlantis' format";
  if (version === '2') {
    report.warn(['version'], `${expected}, found 2, which is read as 3; write version: 3`);
    return;
  }
  const found = typeof version === 'string' && /^\d+$/.test(version) ? version : describeValue(version);
  const other = version === '1' ? ', or call the file nereid.yaml if it is written for Nereid' : '';
  report.error(['version'], `${expected}, found ${found}; write version: 3${other}`);
}

function readProject(path: Path, project: Mapping, report: Report): RootConfig {
  warnOfOthers(path, project, PROJECT_KEYS, report, PROJECT_KEYS_ELSEWHERE);
  const dir = readDir([...path, 'dir'], project['dir'], report);
  const workspace = readWorkspace([...path, 'workspace'], project['workspace'], report);
  const version = readVersion([...path, 'terraform_version'], textOf(project['terraform_version']), report);
  const distribution = readDistribution(
    [...path, 'terraform_distribution'],
    textOf(project['terraform_distribution']),
    report,
  );
  const workflow = textOf(project['workflow']);
  const group = integerAt([...path, 'execution_order_group'], project['execution_order_group'], report);
  return {
    name: readName([...path, 'name'], textOf(project['name']), dir, workspace, report),
    dir,
    dirAt: report.placeOf([...path, 'dir']),
    workspace,
    varFiles: [],
    varFilesIfThere: [environmentFileOf(workspace)],
    ...readAutoplan([...path, 'autoplan'], project['autoplan'], dir, report),
    ...defined({ terraformVersion: version }),
    ...(distribution && { distribution }),
    ...defined({ workflow, executionOrderGroup: group }),
  };
}

/** Atlantis gives it to every plan, where there is one, for the sake of its first users. */
export function environmentFileOf(workspace: string): string {
  return `env/${workspace}.tfvars`;
}

/** Atlantis takes `/infra` for `infra`, and refuses `..` as we do. */
function readDir(path: Path, value: unknown, report: Report): string {
  const dir = textOf(value);
  if (dir === undefined) {
    report.error(path, `expected the directory of the project, found ${describeValue(value)}; add it`);
    return '.';
  }
  if (dir.split('/').includes('..') || /[\\\p{Cc}]/u.test(dir)) {
    report.error(path, `expected a directory inside the repository, found ${quote(dir)}; write it without ".."`);
  } else if (dir.length > TEXT_LIMIT) {
    report.error(path, `expected at most ${TEXT_LIMIT} characters, found ${dir.length}; shorten the path`);
  }
  return normaliseDir(posix.join('.', `./${dir}`));
}

function readWorkspace(path: Path, value: unknown, report: Report): string {
  if (isEmpty(value)) return 'default';
  if (typeof value === 'string' && WORKSPACE.test(value)) return value;
  report.error(path, `expected ${WORKSPACE_EXPECTED}, found ${describeValue(value)}; rename the workspace`);
  return 'default';
}

function readName(path: Path, name: string | undefined, dir: string, workspace: string, report: Report): string {
  if (name === undefined) return rootNameOf(workspace === 'default' ? dir : posix.join(dir, workspace));
  if (isRootName(name)) return name;
  const usable = rootNameOf(name);
  report.warn(
    path,
    `the name ${quote(name)} has characters that names of roots cannot have here; the root is called ${quote(usable)}`,
  );
  return usable;
}

function readAutoplan(
  path: Path,
  value: unknown,
  dir: string,
  report: Report,
): Pick<RootConfig, 'enabled' | 'whenModified'> {
  if (isEmpty(value)) return { enabled: true };
  const autoplan = mappingAt(path, value, report);
  warnOfOthers(path, autoplan, AUTOPLAN_KEYS, report);
  const enabled = booleanAt([...path, 'enabled'], autoplan['enabled'], report) ?? true;
  if (isEmpty(autoplan['when_modified'])) return { enabled };
  return { enabled, whenModified: patternsAt([...path, 'when_modified'], autoplan['when_modified'], dir, report) };
}

function patternsAt(path: Path, value: unknown, dir: string, report: Report): readonly string[] {
  const items = listAt(path, value, report);
  if (items.length > LIST_LIMIT) {
    report.error(path, `expected a list of at most ${LIST_LIMIT}, found ${describeValue(items)}; name directories`);
    return [];
  }
  return items.flatMap((item, index) => {
    const pattern = textOf(item);
    if (pattern === undefined) return [];
    const why = whyIgnored(pattern, dir);
    if (why === undefined) return [pattern];
    report.warn([...path, index], `the pattern ${quote(pattern)} ${why}; it is ignored`);
    return [];
  });
}

/** Atlantis takes a leading slash for the directory of the project. */
function whyIgnored(pattern: string, dir: string): string | undefined {
  if (!isCheap(pattern)) return 'has too many wildcards in a row';
  return staysInside(dir, pattern.replace(/^!?\/*/, '')) ? undefined : 'leads out of the repository';
}

function readVersion(path: Path, version: string | undefined, report: Report): string | undefined {
  if (version === undefined) return undefined;
  const parts = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?$/.exec(version);
  if (!parts) {
    report.warn(
      path,
      `expected an exact version, found ${quote(version)}; it is ignored, and required_version of the code decides`,
    );
    return undefined;
  }
  const [, major, minor = '0', patch = '0', prerelease = ''] = parts;
  return `${major ?? '0'}.${minor}.${patch}${prerelease}`;
}

function readDistribution(path: Path, name: string | undefined, report: Report): RootConfig['distribution'] {
  if (name === 'terraform') return name;
  if (name === 'opentofu') return 'tofu';
  if (name !== undefined) report.warn(path, `expected terraform or opentofu, found ${quote(name)}; it is ignored`);
  return undefined;
}

function readAutodiscover(path: Path, value: unknown, report: Report): Autodiscover {
  if (isEmpty(value)) return { mode: 'auto', ignore: [] };
  const autodiscover = mappingAt(path, value, report);
  warnOfOthers(path, autodiscover, AUTODISCOVER_KEYS, report);
  const mode = textOf(autodiscover['mode']) ?? 'auto';
  const ignore = patternsAt([...path, 'ignore_paths'], autodiscover['ignore_paths'], '.', report);
  if (mode === 'auto' || mode === 'enabled' || mode === 'disabled') return { mode, ignore };
  report.error([...path, 'mode'], `expected auto, enabled or disabled, found ${quote(mode)}`);
  return { mode: 'auto', ignore };
}

/** Atlantis allows several projects that would get the same name here; each of them gets a short hash. */
function distinct(roots: readonly RootConfig[], report: Report): readonly RootConfig[] {
  const counts = Map.groupBy(roots, ({ name }) => keyOf(name));
  return roots.map((root, index) => {
    if (counts.get(keyOf(root.name))?.length === 1) return root;
    const name = withHash(root.name, JSON.stringify([root.dir, root.workspace, index]));
    report.warn(
      ['projects', index],
      `several projects are called ${quote(root.name)}; this one is the root ${quote(name)} here`,
    );
    return { ...root, name };
  });
}

function withoutRefused(root: RootConfig, policy: RepositoryPolicy, path: Path, report: Report): RootConfig {
  const refused = new Set<string>();
  for (const { key, setting, why } of refusedOverrides(policy, root)) {
    if (setting === 'workflow') continue;
    report.warn([...path, key], `${why}; it is ignored`);
    refused.add(setting);
  }
  const { terraformVersion, distribution, ...rest } = root;
  return {
    ...rest,
    ...(terraformVersion !== undefined && !refused.has('terraformVersion') && { terraformVersion }),
    ...(distribution && !refused.has('distribution') && { distribution }),
  };
}

/** Ignoring what a project names could deploy something else, so such a root is not deployed. */
function withWorkflow(root: RootConfig, judging: Judging, path: Path, report: Report): RootConfig {
  const { workflow, ...rest } = root;
  if (workflow === undefined) return root;
  const judged = judgeWorkflow(workflow, root, judging);
  if (judged.kind === 'known') return root;
  const isRefused = judged.kind === 'refused';
  report.warn([...path, 'workflow'], isRefused ? `${judged.why}; until then, its plans fail` : judged.why);
  return isRefused ? { ...rest, refused: judged.why } : rest;
}
