/** Who may do what is about no repository, as the server's file says at this moment. Control judges by the same rule. */
import type { ConsolePolicy } from '@nereid/config';
import type { OperatorAction } from '@nereid/domain/actions';
import { whyNotOperator, whyTokenNotForOperators, type Identity } from '@nereid/identity';

export interface OperatorRights {
  /** Why somebody may not: a clause; undefined for those who may. */
  whyNot(person: Identity, action: OperatorAction): string | undefined;
  mayDrain(person: Identity): boolean;
  maySendAgain(person: Identity): boolean;
  mayStopPools(person: Identity): boolean;
}

export function createOperatorRights(server: { current(): { readonly console: ConsolePolicy } }): OperatorRights {
  function whyNot(person: Identity, action: OperatorAction): string | undefined {
    const { token } = person;
    return (
      (token && whyTokenNotForOperators(token, action)) ?? whyNotOperator(server.current().console, person, action)
    );
  }

  return {
    whyNot,
    mayDrain: (person) => whyNot(person, 'drain') === undefined,
    maySendAgain: (person) => whyNot(person, 'send_again') === undefined,
    mayStopPools: (person) => whyNot(person, 'stop_pool') === undefined,
  };
}
