import { defined } from '@nereid/domain/defined';
import type { Person } from '@nereid/forge';

/** GitHub returns null, or an object without fields, for somebody whom it does not know: by a commit's email address, for instance. */
export function personOf(account: object | null | undefined): Person | undefined {
  if (!account || !('login' in account) || typeof account.login !== 'string') return undefined;
  // GitHub's description allows for ids that no number holds exactly; none has come near.
  const id = 'id' in account ? Number(account.id) : undefined;
  return { login: account.login, ...defined({ id }) };
}
