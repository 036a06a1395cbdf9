/**
 * Reads the text of `nereid.yaml` or `atlantis.yaml`: schema, normalised form, rules, limits.
 *
 * A repository's file is read at the revision that is deployed, so it may set only what the server's policy allows.
 */
import { readAtlantisConfig } from './atlantis/atlantis-config.ts';
import { mergeIncluded, type IncludedFile } from './include.ts';
import { normaliseRepository } from './normalise-repository.ts';
import type { RepositoryPolicy } from '../server/policy.ts';
import { inFileOrder } from '../yaml/problem.ts';
import { createReport } from '../yaml/report.ts';
import type { RepositoryConfigRead } from './repository-config.ts';
import { problemsOfSize } from './repository-limits.ts';
import { repositoryRules } from './repository-rules.ts';
import { RepositoryFile } from './repository-schema.ts';
import { soundRepository } from './sound-repository.ts';
import { parseWith } from '../yaml/schema.ts';
import { partOf } from '../yaml/sound.ts';
import { readYaml } from '../yaml/yaml-source.ts';

export interface RepositorySource {
  readonly file: 'nereid.yaml' | 'atlantis.yaml';
  readonly text: string;
  /** The files that a `nereid.yaml` includes, in their order; see `includesOf`. */
  readonly included?: readonly IncludedFile[];
  readonly policy: RepositoryPolicy;
}

export function readRepositoryConfig({ file, text, included = [], policy }: RepositorySource): RepositoryConfigRead {
  const read = file === 'nereid.yaml' ? readNereidConfig(text, included, policy) : readAtlantisConfig(text, policy);
  if (read.kind === 'invalid') return read;
  const problems = problemsOfSize(read.config, policy);
  return problems.length > 0 ? { kind: 'invalid', problems } : read;
}

function readNereidConfig(
  text: string,
  included: readonly IncludedFile[],
  policy: RepositoryPolicy,
): RepositoryConfigRead {
  const main = readYaml(text, { example: 'version: 1' });
  if (main.kind === 'invalid') return main;
  const hasIncludes = partOf(main.source.value, 'include') !== undefined;
  const yaml = hasIncludes ? mergeIncluded(main.source, included) : main;
  if (yaml.kind === 'invalid') return yaml;
  const written = parseWith(RepositoryFile, yaml.source);
  const report = createReport(yaml.source);
  const subject = { ...soundRepository(yaml.source.value), policy };
  for (const rule of repositoryRules) rule(subject, report);

  if (written.kind === 'invalid')
    return { kind: 'invalid', problems: inFileOrder([...written.problems, ...report.problems()]) };
  if (report.problems().length > 0) return { kind: 'invalid', problems: report.problems() };
  return { kind: 'ok', config: normaliseRepository(written.value, yaml.source), warnings: report.warnings() };
}
