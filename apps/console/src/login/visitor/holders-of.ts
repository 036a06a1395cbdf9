/** Whom a request counts for, as far as its visitor is known. */
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Access } from '../../platform/config/config.ts';
import { networkOf, type Holder } from '../../platform/limits/holder.ts';
import { visitorOf } from './visitor-of.ts';
import type { VisitorFinder } from './visitor.ts';

export interface HolderSources extends VisitorFinder {
  readonly access: Access;
}

/** Nobody where everybody is on this machine, which is theirs to use up. The address of those who have a login counts for nothing: offices share one. */
export async function holdersOf(sources: HolderSources, request: Request): Promise<readonly Holder[]> {
  if (sources.access.kind === 'local') return [];
  const visitor = await visitorOf(sources, request);
  if (visitor.kind === 'person') {
    const { login, id, token } = visitor.person;
    return [{ kind: 'person', id: `${id ?? login.toLowerCase()} ${token?.name ?? ''}` }];
  }
  const { key } = request.query;
  return [
    // Whether it opens anything is decided later; a key that is made up holds its address back.
    ...(typeof key === 'string' ? [{ kind: 'link', id: digestOf(key) } as const] : []),
    { kind: 'address', id: networkOf(request.ip) },
  ];
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
