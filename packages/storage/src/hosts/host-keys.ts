/** Where is kept what hosts say, and what is said of them. No other file builds these keys. */

export const HOSTS_PREFIX = 'hosts/';

export function hostKey(hostId: string): string {
  return `${HOSTS_PREFIX}${hostId}.json`;
}

/** Not below `doctor/`: hosts read there, and may not read this. */
export const DIAGNOSES_PREFIX = 'diagnoses/';

export function diagnosisKey(hostId: string): string {
  return `${DIAGNOSES_PREFIX}${hostId}.json`;
}

export const DRAINS_PREFIX = 'drains/';

/** Not below `hosts/`: hosts write there, and may not write this. */
export function drainKey(hostId: string): string {
  return `${DRAINS_PREFIX}${hostId}.json`;
}
