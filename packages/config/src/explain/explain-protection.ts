import type { RootPlace } from '../server/glob.ts';
import { isInScope } from '../server/scope/scope.ts';
import type { ServerConfig } from '../server/server-config.ts';
import type { ExplainedSetting } from './explanation.ts';
import { explainEntry } from './explain-entry.ts';
import type { NamedSource } from './parts.ts';

/** The jobs of GitHub Actions that wait for the root: a job waits by all rules of its environment. */
export function explainProtection(
  { protectionRules }: Pick<ServerConfig, 'protectionRules'>,
  named: NamedSource,
  repository: string,
  place: RootPlace,
): readonly ExplainedSetting[] {
  return [...protectionRules.entries()]
    .filter(([, rule]) => isInScope(rule, { repository, root: place }))
    .map(([index, rule]) => {
      const { environment } = rule;
      const entry = { ...rule, name: environment };
      const value = `jobs in ${environment} wait until the root is applied`;
      return explainEntry({ section: 'protection_rules', index, entry, value, written: environment }, named, place);
    });
}
