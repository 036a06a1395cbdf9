/** Decides what a link opens, and what is open to this machine. A pure function. */
import type { Secret } from '@nereid/config';
import { verifyLinkKey } from '@nereid/github';
import type { Access } from '../config.ts';

export interface Visit {
  /** `deploymentPageSubject` or `pullRequestPageSubject`. */
  readonly subject: string;
  /** The `key` in the query of the address. */
  readonly key: unknown;
  /** The `Host` header. */
  readonly host: string | undefined;
}

/**
 * With `link` and `login`, everybody who has the page's link, as long as it lives. With `local`, everybody who addresses us by a local host name. The
 * page of another site whose name was made to point here (DNS rebinding) addresses us by that name, and is refused.
 */
export function mayRead(access: Access, { subject, key, host }: Visit): boolean {
  switch (access.kind) {
    case 'local':
      return access.hosts.includes(hostName(host));
    case 'link':
    case 'login':
      return typeof key === 'string' && verifyLinkKey(access.keys.map(revealed), subject, key, Date.now());
  }
}

function revealed(key: Secret): string {
  return key.reveal();
}

function hostName(host: string | undefined): string {
  return (host ?? '').toLowerCase().replace(/:\d+$/, '');
}
