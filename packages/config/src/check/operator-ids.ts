/** With the login `github`, everybody on GitHub can log in, also whoever took the login of an operator that renamed their account. */
import type { ServerConfig } from '../server/server-config.ts';
import { quote } from '../yaml/problem.ts';
import type { Report } from '../yaml/report.ts';

export function operatorsHaveIds(
  { console: { login, operators } }: Pick<ServerConfig, 'console'>,
  report: Report,
): void {
  if (login?.mode !== 'github') return;
  for (const [index, operator] of operators.entries()) {
    if (operator.id !== undefined) continue;
    report.warn(
      ['console', 'operators', index],
      `expected a login with the id of its account, like ${operator.login}#1234567, found ${quote(operator.login)}: whoever takes this login once it is free is an operator; add the id that https://api.github.com/users/${operator.login} shows`,
    );
  }
}
