import { readClockSkew } from '@nereid/github';

/** GitHub refuses tokens from more than a minute ahead; a clock that is kept right is off by milliseconds. */
const SKEW_MS = { noticed: 5_000, refused: 30_000 };

export type ClockComparison =
  /** GitHub is away, or says no time. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'right'; readonly found: string }
  /** `isRefused`: so far off that GitHub, clouds and other workers refuse what it signs. */
  | { readonly kind: 'wrong'; readonly isRefused: boolean; readonly sentence: string };

/** The clock of this machine, against GitHub's. Never throws. */
export async function compareClock(apiUrl: string, signal: AbortSignal): Promise<ClockComparison> {
  const skewMs = await readClockSkew(apiUrl, signal).catch(() => undefined);
  if (skewMs === undefined) return { kind: 'unknown' };
  const seconds = Math.abs(skewMs / 1_000).toFixed(1);
  const found = `${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} GitHub`;
  if (Math.abs(skewMs) < SKEW_MS.noticed) return { kind: 'right', found };
  const sentence = `expected the clock of this machine to be right, found it ${found}; set it, and keep it right with NTP`;
  return { kind: 'wrong', isRefused: Math.abs(skewMs) >= SKEW_MS.refused, sentence };
}
