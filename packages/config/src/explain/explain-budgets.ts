import { budgetsFor } from '../server/budgets/budget.ts';
import type { RootPlace } from '../server/glob.ts';
import type { ServerConfig } from '../server/server-config.ts';
import type { ExplainedSetting } from './explanation.ts';
import { placeIn, type NamedSource } from './parts.ts';
import { matchOf } from './together.ts';

/** All budgets of a root hold. */
export function explainBudgets(
  server: Pick<ServerConfig, 'budgets'>,
  named: NamedSource,
  repository: string,
  place: RootPlace,
): readonly ExplainedSetting[] {
  return budgetsFor(server, repository, place).map((budget) => {
    const value = `${budget.applies} ${budget.applies === 1 ? 'apply' : 'applies'} at once`;
    const at = placeIn(named, ['budgets', server.budgets.indexOf(budget)]);
    return {
      key: `budgets.${budget.name}`,
      ...{ value, isDefault: false, choice: 'together' },
      sources: [{ kind: 'server', at, match: matchOf(budget, place), value, counts: true }],
    };
  });
}
