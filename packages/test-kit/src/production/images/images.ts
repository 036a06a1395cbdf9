/** What is started in each image: its process, and the programs that the guide has people run there. */

/** Answers `keys`, `config` and the like in every image. */
const COMMANDS = 'packages/config/bin/nereid.js';

export interface Image {
  readonly target: string;
  readonly entries: readonly string[];
}

export const IMAGES: readonly Image[] = [
  { target: 'gateway', entries: ['apps/gateway/src/main.ts', 'apps/gateway/src/doctor/main.ts', COMMANDS] },
  { target: 'console', entries: ['apps/console/src/main.ts', 'apps/console/src/doctor/main.ts', COMMANDS] },
  {
    target: 'worker',
    entries: [
      'apps/worker/src/main.ts',
      'apps/worker/src/platform/temporal/preload.ts',
      'apps/worker/src/doctor/main.ts',
      'apps/worker/src/notifications/main.ts',
      'apps/worker/src/operator/main.ts',
      'temporal/main.ts',
      COMMANDS,
    ],
  },
];
