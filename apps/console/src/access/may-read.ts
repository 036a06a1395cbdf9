/** Decides what a link opens, and what is open to this machine. A pure function. */
import type { Secret } from '@nereid/config';
import { verifyLinkKey } from '@nereid/texts';
import { isLocal } from '../login/visitor/is-local.ts';
import type { Access } from '../platform/config/config.ts';

export interface Visit {
  /** `deploymentPageSubject` or `pullRequestPageSubject`. */
  readonly subject: string;
  /** The `key` in the query of the address. */
  readonly key: unknown;
  /** The `Host` header. */
  readonly host: string | undefined;
}

/** With `link` and `login`, everybody who has the page's link, as long as it lives. With `local`, everybody on this machine. */
export function mayRead(access: Access, { subject, key, host }: Visit): boolean {
  switch (access.kind) {
    case 'local':
      return isLocal(access, host);
    case 'link':
    case 'login':
      return typeof key === 'string' && verifyLinkKey(access.keys.map(revealed), subject, key, Date.now());
  }
}

function revealed(key: Secret): string {
  return key.reveal();
}
