/** Reads the text of `nereid.server.yaml`: schema, normalised form, rules. */
import { normaliseServer } from './normalise-server.ts';
import { inFileOrder, type Problem } from '../yaml/problem.ts';
import { createReport } from '../yaml/report.ts';
import { parseWith } from '../yaml/schema.ts';
import type { ServerConfig } from './server-config.ts';
import { serverRules } from './server-rules.ts';
import { ServerFile } from './server-schema.ts';
import { soundServer } from './sound-server.ts';
import { readYaml } from '../yaml/yaml-source.ts';

export type ServerConfigRead =
  | { readonly kind: 'ok'; readonly config: ServerConfig; readonly warnings: readonly Problem[] }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** The least that a file must have, shown to the author of an empty one. */
const EXAMPLE =
  '{ repositories: [{ match: owner/* }], storage: { deployments: "file:/var/lib/nereid-storage", plans: "file:/var/lib/nereid-storage", logs: "file:/var/lib/nereid-storage" } }';

/** Never throws, and reports all problems at once. */
export function readServerConfig(text: string): ServerConfigRead {
  const yaml = readYaml(text, { example: EXAMPLE });
  if (yaml.kind === 'invalid') return yaml;
  const written = parseWith(ServerFile, yaml.source);
  const report = createReport(yaml.source);
  const subject = soundServer(yaml.source.value);
  for (const rule of serverRules) rule(subject, report);

  if (written.kind === 'invalid')
    return { kind: 'invalid', problems: inFileOrder([...written.problems, ...report.problems()]) };
  if (report.problems().length > 0) return { kind: 'invalid', problems: report.problems() };
  return { kind: 'ok', config: normaliseServer(written.value), warnings: report.warnings() };
}
