/** What `nereid config check` finds in a file: which of our formats it is, and every problem with it. */
import { basename } from 'node:path';
import { formatProblem, type Problem } from '../yaml/problem.ts';
import type { RepositoryPolicy } from '../server/policy.ts';
import { readRepositoryConfig } from '../repository/read-repository-config.ts';
import { readServerConfig } from '../server/read-server-config.ts';
import { OVERRIDES } from '../server/overrides.ts';
import { STANDARD_STEPS, STANDARD_WORKFLOW } from '../server/standard-workflow.ts';
import { readYaml } from '../yaml/yaml-source.ts';

export interface Checked {
  readonly isValid: boolean;
  /** For people, a line each. */
  readonly lines: readonly string[];
}

export function checkFile(path: string, text: string): Checked {
  const format = formatOf(path, text);
  const read =
    format === 'nereid.server.yaml'
      ? readServerConfig(text)
      : readRepositoryConfig({ file: format, text, policy: policyNamedIn(text) });
  const describe = (problem: Problem) => formatProblem(problem, path);
  if (read.kind === 'invalid') {
    const count = read.problems.length === 1 ? '1 problem' : `${read.problems.length} problems`;
    return { isValid: false, lines: [...read.problems.map(describe), `${path}: ${count} (read as ${format})`] };
  }
  const warnings = read.warnings.map((warning) => `warning: ${describe(warning)}`);
  return { isValid: true, lines: [...warnings, `${path}: no problems (read as ${format})`] };
}

type Format = 'nereid.server.yaml' | 'nereid.yaml' | 'atlantis.yaml';

/** By its name; where that says nothing, by the keys only one format has. */
function formatOf(path: string, text: string): Format {
  const name = basename(path);
  if (/^atlantis\b.*\.ya?ml$/.test(name)) return 'atlantis.yaml';
  if (/^nereid\.ya?ml$/.test(name)) return 'nereid.yaml';
  if (/^nereid\.server\b.*\.ya?ml$/.test(name)) return 'nereid.server.yaml';
  const keys = keysOf(text);
  if (keys.includes('projects')) return 'atlantis.yaml';
  return keys.includes('version') || keys.includes('roots') ? 'nereid.yaml' : 'nereid.server.yaml';
}

function keysOf(text: string): readonly string[] {
  const yaml = readYaml(text, { furtherDocuments: 'ignored' });
  if (yaml.kind === 'invalid') return [];
  const { value } = yaml.source;
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

/** A repository's file is checked without its server: every override is taken as allowed and every workflow as known. */
function policyNamedIn(text: string): RepositoryPolicy {
  const names = Array.from(text.matchAll(/\bworkflow:\s*["']?([\w.-]+)/g), ([, name = '']) => name);
  return {
    allowedOverrides: OVERRIDES,
    layers: [],
    workflows: new Map([STANDARD_WORKFLOW, ...names].map((name) => [name, STANDARD_STEPS])),
    distribution: 'terraform',
  };
}
