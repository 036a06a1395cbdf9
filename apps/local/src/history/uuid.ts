import type { Random } from '../random.ts';

/** A UUID of version 8: made up. */
export function uuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => random.integer(16).toString(16));
  digits[12] = '8';
  digits[16] = '8';
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)];
  return parts.map((part) => part.join('')).join('-');
}
