/** Who may see a deployment. A pure decision. */
import { verifyLinkKey } from '@nereid/github';
import type { Access } from '../config.ts';

export interface Visit {
  readonly deploymentId: string;
  /** The `key` of the address. */
  readonly key: unknown;
  /** The `Host` header. */
  readonly host: string | undefined;
}

/**
 * With a link's key, whoever has the link. Locally, whoever asks for us by a local name: a page of another site that
 * made its own name point here (DNS rebinding) does not.
 */
export function mayRead(access: Access, { deploymentId, key, host }: Visit): boolean {
  switch (access.kind) {
    case 'local':
      return access.hosts.includes(hostName(host));
    case 'link':
      return typeof key === 'string' && verifyLinkKey(access.key.reveal(), deploymentId, key);
  }
}

function hostName(host: string | undefined): string {
  return (host ?? '').toLowerCase().replace(/:\d+$/, '');
}
