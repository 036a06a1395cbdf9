/**
 * The packages that workflow code may import. They compute from their arguments alone: no clock, no randomness, no
 * Node, so a replay finds what the first run found.
 */
export const PURE_PACKAGES = ['contracts', 'lane'];
