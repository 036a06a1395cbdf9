import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The release of this worker, from its `package.json`. */
export function readRelease(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    readonly version: string; // npm requires it.
  };
  return version;
}
