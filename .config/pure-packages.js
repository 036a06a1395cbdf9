/**
 * The packages that workflow code may import. They compute from their arguments alone (no clock, no randomness, no Node),
 * so a replay gets the results of the first run.
 */
export const PURE_PACKAGES = ['domain'];
