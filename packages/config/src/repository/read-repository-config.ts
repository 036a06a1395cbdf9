/**
 * Reads the text of `nereid.yaml` or `atlantis.yaml`: schema, normalised form, rules, limits.
 *
 * A repository's file is read at the revision that is deployed, so it may set only what the server's policy allows.
 */
import { readAtlantisConfig } from './atlantis/atlantis-config.ts';
import { mergeIncluded, type IncludedFile } from './include.ts';
import { normaliseRepository } from './normalise-repository.ts';
import type { RepositoryPolicy } from '../server/repository-policy/policy.ts';
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
  /** Paths of further files that it includes and that cannot be read: they hide roots. */
  readonly unread?: readonly string[];
  readonly policy: RepositoryPolicy;
}

export function readRepositoryConfig(source: RepositorySource): RepositoryConfigRead {
  const { file, text, policy } = source;
  const read = file === 'nereid.yaml' ? readNereidConfig(source) : readAtlantisConfig(text, policy);
  if (read.kind === 'invalid') return read;
  const problems = problemsOfSize(read.config, policy);
  return problems.length > 0 ? { kind: 'invalid', problems } : read;
}

function readNereidConfig({ text, included = [], unread = [], policy }: RepositorySource): RepositoryConfigRead {
  const main = readYaml(text, { example: 'version: 1' });
  if (main.kind === 'invalid') return main;
  const hasIncludes = partOf(main.source.value, 'include') !== undefined;
  const { source, problems } = hasIncludes
    ? mergeIncluded(main.source, included, unread)
    : { source: main.source, problems: [] };
  const written = parseWith(RepositoryFile, source);
  const report = createReport(source);
  const sound = soundRepository(source.value);
  const hidesRoots = problems.length > 0 || unread.length > 0;
  const subject = { ...sound, discovers: sound.discovers || hidesRoots, policy };
  for (const rule of repositoryRules) rule(subject, report);

  const all = [...(written.kind === 'invalid' ? written.problems : []), ...problems, ...report.problems()];
  if (written.kind === 'invalid' || all.length > 0) return { kind: 'invalid', problems: inFileOrder(all) };
  return { kind: 'ok', config: normaliseRepository(written.value, source), warnings: report.warnings() };
}
