import type { Role } from './roles.ts';

/** How long each step of a stop may take, in milliseconds. Together they are the worker's whole grace. */
export interface StopGrace {
  /** The jobs of the host end. */
  readonly hostMs: number;
  /** Control shows how they ended. */
  readonly showMs: number;
  /** Control ends what it does. */
  readonly controlMs: number;
}

/** The work of control ends within seconds, or is done again by another worker. */
export const CONTROL_GRACE_MS = 120_000;

/** The host gets more of a short grace: an apply that is interrupted is worse than a check run that is late. */
const CONTROL_SHARE = 1 / 4;

export function shareGrace(graceMs: number, roles: readonly Role[]): StopGrace {
  if (!roles.includes('control')) return { hostMs: graceMs, showMs: 0, controlMs: 0 };
  if (!roles.includes('terraform')) return { hostMs: 0, showMs: 0, controlMs: graceMs };
  const half = Math.min(CONTROL_GRACE_MS, graceMs * CONTROL_SHARE) / 2;
  return { hostMs: graceMs - 2 * half, showMs: half, controlMs: half };
}
