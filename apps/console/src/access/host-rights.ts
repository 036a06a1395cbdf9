/** Who may drain hosts, as the server's file says at this moment. Control judges by the same rule. */
import type { ConsolePolicy } from '@nereid/config';
import type { HostAction } from '@nereid/domain/actions';
import { whyNotOperator, whyTokenNotForHosts, type Identity } from '@nereid/identity';

export interface HostRights {
  /** Why somebody may not: a clause; undefined for those who may. */
  whyNot(person: Identity, action: HostAction): string | undefined;
  mayDrain(person: Identity): boolean;
}

export function createHostRights(server: { current(): { readonly console: ConsolePolicy } }): HostRights {
  function whyNot(person: Identity, action: HostAction): string | undefined {
    const { token } = person;
    return (token && whyTokenNotForHosts(token)) ?? whyNotOperator(server.current().console, person, action);
  }

  return { whyNot, mayDrain: (person) => whyNot(person, 'drain') === undefined };
}
