/** Checks a file for `nereid config check`: finds its format, and every problem with it. */
import { basename, dirname, join, resolve } from 'node:path';
import { formatProblem, inFileOrder, printable, type Problem } from '../yaml/problem.ts';
import type { RepositoryConfig, RepositoryConfigRead } from '../repository/repository-config.ts';
import { REPOSITORY_DEFAULTS, type RepositoryPolicy } from '../server/repository-policy/policy.ts';
import { readRepositoryConfig } from '../repository/read-repository-config.ts';
import { policyFolderProblems, withPolicyFolders } from '../server/policies/policy-folders.ts';
import { readServerConfig, type ServerConfigRead } from '../server/read-server-config.ts';
import type { ServerConfig } from '../server/server-config.ts';
import { ServerFile } from '../server/server-schema.ts';
import { OVERRIDES } from '../settings/overrides.ts';
import { STANDARD_STEPS, STANDARD_WORKFLOW } from '../server/workflows/standard-workflow.ts';
import { createReport } from '../yaml/report.ts';
import { isMapping, partOf } from '../yaml/sound.ts';
import { readYaml, type YamlSource } from '../yaml/yaml-source.ts';
import { absentDirectories } from './absent-directories.ts';
import { operatorsHaveIds } from './operator-ids.ts';
import { readIncluded, type Included } from './read-included.ts';
import { stricterRulesHaveTheirOwnCredentials } from './credentials/shared-credentials.ts';

export type Checked =
  | {
      readonly kind: 'checked';
      readonly isValid: boolean;
      /** The findings, for people. */
      readonly lines: readonly string[];
    }
  /** Neither the name nor the keys of the file tell its format; `why` is a sentence. */
  | { readonly kind: 'unclear'; readonly why: string };

export function checkFile(path: string, text: string): Checked {
  const named = formatNamed(basename(path));
  const yaml = readYaml(text, { furtherDocuments: 'ignored' });
  // Invalid YAML has the same problems in every format.
  if (!named && yaml.kind === 'invalid') return wrong(path, yaml.problems);

  const source = yaml.kind === 'ok' ? yaml.source : undefined;
  const candidates = named ? [named] : formatsWithKeysOf(source?.value);
  const [format, other] = candidates;
  if (!format || other) return { kind: 'unclear', why: unclear(path, candidates) };
  return checkAs(format, path, text, source);
}

const FORMATS = ['nereid.server.yaml', 'nereid.yaml', 'atlantis.yaml'] as const;
type Format = (typeof FORMATS)[number];

function checkAs(format: Format, path: string, text: string, source: YamlSource | undefined): Checked {
  const included = format === 'nereid.yaml' ? readIncluded(dirname(resolve(path)), text) : NOTHING;
  const read = readAs(format, text, source, included);
  const readAsFormat = ` (read as ${format})`;
  const problems = [...included.problems, ...(read.kind === 'invalid' ? read.problems : [])];
  if (read.kind === 'invalid' || problems.length > 0) return wrong(path, problems, readAsFormat);
  const { config } = read;
  const absent = 'roots' in config ? absentDirectories(dirname(resolve(path)), config) : [];
  // Atlantis accepts such a file.
  const [missing, tolerated] = format === 'atlantis.yaml' ? [[], absent] : [absent, []];
  const further = 'repositories' in config ? folderProblems(path, config) : inFileOrder(missing);
  if (further.length > 0) return wrong(path, further, readAsFormat);
  const serverWarnings = source !== undefined && 'repositories' in config ? warningsOf(source, config) : [];
  const warnings = [...misnamed(path, format), ...inFileOrder([...read.warnings, ...serverWarnings, ...tolerated])];
  const lines = [
    ...warnings.map((warning) => `warning: ${formatFor(path, warning)}`),
    ...('roots' in config ? rootsOfIncluded(path, included, config) : []),
  ];
  return { kind: 'checked', isValid: true, lines: [...lines, `${path}: no problems${readAsFormat}`] };
}

function readAs(
  format: Format,
  text: string,
  source: YamlSource | undefined,
  { files, unread }: Included,
): ServerConfigRead | RepositoryConfigRead {
  if (format === 'nereid.server.yaml') return readServerConfig(text);
  const policy = policyNamedIn([source?.value, ...files.map(valueOf)]);
  return readRepositoryConfig({ file: format, text, included: files, unread, policy });
}

const NOTHING: Included = { files: [], unread: [], problems: [] };

function valueOf({ text }: Included['files'][number]): unknown {
  const yaml = readYaml(text);
  return yaml.kind === 'ok' ? yaml.source.value : undefined;
}

/** One line for each included file, with the names of its roots. */
function rootsOfIncluded(path: string, { files }: Included, { roots }: RepositoryConfig): readonly string[] {
  return files.map((file) => {
    const own = roots.filter(({ dirAt }) => dirAt?.file === file.path).map(({ name }) => name);
    return `${printable(join(dirname(path), file.path))}: included, with ${own.length === 0 ? 'no roots' : own.join(', ')}`;
  });
}

/** Files are named as the person who runs the check would find them. */
function formatFor(path: string, problem: Problem): string {
  const { file } = problem;
  if (file === undefined || file === 'nereid.yaml') return formatProblem({ ...problem, file: path });
  return formatProblem({ ...problem, file: join(dirname(path), file) });
}

function warningsOf(source: YamlSource, config: ServerConfig): readonly Problem[] {
  const report = createReport(source);
  stricterRulesHaveTheirOwnCredentials(config, report);
  operatorsHaveIds(config, report);
  return report.warnings();
}

function folderProblems(path: string, config: ServerConfig): readonly Problem[] {
  return policyFolderProblems(withPolicyFolders(config, dirname(resolve(path))));
}

function wrong(path: string, problems: readonly Problem[], readAs = ''): Checked {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const lines = problems.map((problem) => formatFor(path, problem));
  return { kind: 'checked', isValid: false, lines: [...lines, `${path}: ${count}${readAs}`] };
}

function formatNamed(name: string): Format | undefined {
  if (/^atlantis\b.*\.ya?ml$/.test(name)) return 'atlantis.yaml';
  if (/^nereid\.ya?ml$/.test(name)) return 'nereid.yaml';
  return /^nereid\.server\b.*\.ya?ml$/.test(name) ? 'nereid.server.yaml' : undefined;
}

/** Keys that only one of the formats has. Files for Atlantis may have workflows, too. */
const OWN_KEYS: Readonly<Record<Format, readonly string[]>> = {
  'nereid.server.yaml': Object.keys(ServerFile.shape).filter((key) => key !== 'workflows'),
  'nereid.yaml': ['roots', 'include'],
  'atlantis.yaml': ['projects', 'automerge', 'parallel_plan', 'parallel_apply'],
};

/** The formats that the file may have, by the keys that only one of them has, or else by its version. */
function formatsWithKeysOf(value: unknown): readonly Format[] {
  const keys = isMapping(value) ? Object.keys(value) : [];
  const formats = FORMATS.filter((format) => OWN_KEYS[format].some((key) => keys.includes(key)));
  if (formats.length > 0) return formats;
  const version = partOf(value, 'version');
  if (version === 1) return ['nereid.yaml'];
  return version === 3 ? ['atlantis.yaml'] : [];
}

function unclear(path: string, candidates: readonly Format[]): string {
  const found =
    candidates.length === 0
      ? 'none of these names, and no key that only one of them has'
      : `another name, and keys of ${candidates.join(' and of ')}`;
  return `expected a file called nereid.server.yaml, nereid.yaml or atlantis.yaml, found ${found}, in ${printable(path)}; give the file, or a copy, the name that fits its content`;
}

/** A repository's file that ends with `.yml` instead of `.yaml` is not read, and its author is not told. */
function misnamed(path: string, format: Format): readonly Problem[] {
  const name = basename(path);
  if (format === 'nereid.server.yaml' || name !== format.replace('.yaml', '.yml')) return [];
  return [{ path: '', message: `expected the name ${format}, found ${name}, which is not read; rename the file` }];
}

/** A repository's file is checked without its server: every override and pool counts as allowed, every workflow as known. */
function policyNamedIn(values: readonly unknown[]): RepositoryPolicy {
  const items = values.flatMap((value) => ['roots', 'projects'].map((key) => partOf(value, key))).filter(Array.isArray);
  const names = items.flat().map((item) => String(partOf(item, 'workflow')));
  const hosts = items.flat().map((item) => String(partOf(item, 'hosts')));
  return {
    ...REPOSITORY_DEFAULTS,
    allowedOverrides: OVERRIDES,
    allowedHosts: hosts,
    pools: hosts.map((name) => ({ name, labels: [] })),
    settings: {},
    rootRules: [],
    autoWhen: [],
    workflows: new Map([STANDARD_WORKFLOW, ...names].map((name) => [name, STANDARD_STEPS])),
    distribution: 'terraform',
    network: 'host',
  };
}
