/** Whom a request counts for: what one of them uses up, the others still have. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Request } from 'express';
import type { Context } from '../context.ts';
import { visitorOf } from '../login/visitor-of.ts';

export interface Holder {
  /** A login or a token, a link with a key, or an address of the network. */
  readonly kind: 'person' | 'link' | 'address';
  /** Short, whatever the request holds. */
  readonly id: string;
}

/** Nobody where everybody is on this machine, which is theirs to use up. The address of those who have a login counts for nothing: offices share one. */
export async function holdersOf(
  context: Pick<Context, 'access' | 'findVisitor' | 'logger'>,
  request: Request,
): Promise<readonly Holder[]> {
  if (context.access.kind === 'local') return [];
  const visitor = await visitorOf(context, request);
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

/** Whoever has one IPv6 address has the 2⁶⁴ beside it as well. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const mapped = /^::ffff:(?<v4>\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.groups?.['v4'];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

function groupsOf(part: string): readonly string[] {
  return part === '' ? [] : part.split(':').map((group) => group.replace(/^0+(?=.)/, ''));
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
