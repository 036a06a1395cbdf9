/** Rooms that import each other, until they do not: this list only shrinks. */
export const KNOWN_PAIRS = [
  'apps/console/src/fleet: fleet.ts <-> lane',
  'apps/console/src/login: create-login.ts <-> terminal',
  'apps/console/src: access <-> context.ts',
  'apps/console/src: access <-> fleet',
  'apps/console/src: access <-> insights',
  'apps/console/src: access <-> login',
  'apps/console/src: access <-> rollouts',
  'apps/console/src: access <-> trail',
  'apps/console/src: actions <-> context.ts',
  'apps/console/src: actions <-> deployments',
  'apps/console/src: actions <-> login',
  'apps/console/src: activity <-> trail',
  'apps/console/src: config.ts <-> login',
  'apps/console/src: context.ts <-> doctor',
  'apps/console/src: context.ts <-> fleet',
  'apps/console/src: context.ts <-> limits',
  'apps/console/src: context.ts <-> login',
  'apps/console/src: context.ts <-> streams',
  'apps/console/src: context.ts <-> trail',
  'apps/console/src: deployments <-> events',
  'apps/console/src: deployments <-> fleet',
  'apps/console/src: deployments <-> logs',
  'apps/console/src: deployments <-> rollouts',
  'apps/console/src: deployments <-> temporal',
  'apps/console/src: fleet <-> rollouts',
  'apps/console/src: html <-> login',
  'apps/console/src: insights <-> trail',
  'apps/console/src: rollouts <-> trail',
];

/** More than two files that need each other, until they do not: this list only shrinks. */
export const KNOWN_CIRCLES = [
  'apps/console/src/access/reading.ts apps/console/src/context.ts apps/console/src/limits/holders-of.ts apps/console/src/limits/request-limits.ts apps/console/src/login/visitor-of.ts apps/console/src/metrics/metrics.ts apps/console/src/streams/stream-slots.ts apps/console/src/streams/watch-reader.ts',
];
