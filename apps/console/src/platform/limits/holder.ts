/** Whom a request counts for: what one of them uses up, the others still have. */
import { isIPv6 } from 'node:net';

export interface Holder {
  /** A login or a token, a link with a key, or an address of the network. */
  readonly kind: 'person' | 'link' | 'address';
  /** Short, whatever the request holds. */
  readonly id: string;
}

/** A person with one IPv6 address has the 2⁶⁴ beside it as well. */
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
