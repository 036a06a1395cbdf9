import { readFileSync } from 'node:fs';

/** Of this package, like 0.1.0. */
export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
