import { budgetsFor, type Budget } from '../server/budgets/budget.ts';
import type { RootPlace } from '../server/glob.ts';
import type { ServerConfig } from '../server/server-config.ts';
import type { ExplainedSetting } from './explanation.ts';
import { explainEntry } from './explain-entry.ts';
import type { NamedSource } from './parts.ts';

/** All budgets of a root hold. */
export function explainBudgets(
  server: Pick<ServerConfig, 'budgets'>,
  named: NamedSource,
  repository: string,
  place: RootPlace,
): readonly ExplainedSetting[] {
  return budgetsFor(server, repository, place).map((entry) =>
    explainEntry(
      { section: 'budgets', index: server.budgets.indexOf(entry), entry, value: limitsOf(entry) },
      named,
      place,
    ),
  );
}

/** "5 applies and 10 plans at once". */
function limitsOf({ applies, plans }: Budget): string {
  const counts = [
    ...(applies === undefined ? [] : [`${applies} ${applies === 1 ? 'apply' : 'applies'}`]),
    ...(plans === undefined ? [] : [`${plans} ${plans === 1 ? 'plan' : 'plans'}`]),
  ];
  return `${counts.join(' and ')} at once`;
}
