/** From the text of `nereid.server.yaml` to what it means: schema, normalised form, rules. */
import { normaliseServer } from './normalise-server.ts';
import type { Problem } from '../yaml/problem.ts';
import { createReport } from '../yaml/report.ts';
import { parseWith } from '../yaml/schema.ts';
import type { ServerConfig } from './server-config.ts';
import { serverRules } from './server-rules.ts';
import { ServerFile } from './server-schema.ts';
import { readYaml } from '../yaml/yaml-source.ts';

export type ServerConfigRead =
  | { readonly kind: 'ok'; readonly config: ServerConfig; readonly warnings: readonly Problem[] }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** Reads the server's YAML; never throws, and reports everything that is wrong at once. */
export function readServerConfig(text: string): ServerConfigRead {
  const yaml = readYaml(text);
  if (yaml.kind === 'invalid') return yaml;
  const written = parseWith(ServerFile, yaml.source);
  if (written.kind === 'invalid') return written;
  const config = normaliseServer(written.value);

  const report = createReport(yaml.source);
  for (const rule of serverRules) rule(config, report);

  const problems = report.problems();
  if (problems.length > 0) return { kind: 'invalid', problems };
  return { kind: 'ok', config, warnings: report.warnings() };
}
