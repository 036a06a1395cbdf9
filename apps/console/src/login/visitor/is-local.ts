import type { Access } from '../../platform/config/config.ts';

/**
 * Whether everybody who addresses us like this is on this machine: by a local host name. The page of another site whose name was made
 * to point here (DNS rebinding) addresses us by that name. `host` is the header.
 */
export function isLocal(access: Access, host: string | undefined): boolean {
  return access.kind === 'local' && access.hosts.includes(hostName(host));
}

function hostName(host: string | undefined): string {
  return (host ?? '').toLowerCase().replace(/:\d+$/, '');
}
