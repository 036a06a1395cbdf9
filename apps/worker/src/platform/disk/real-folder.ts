import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where a folder is, behind all links, also one that is not made yet. Sandboxes show no path that leads through a link. */
export function realFolder(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  const above = dirname(folder);
  return above === folder ? folder : join(realFolder(above), basename(folder));
}
