import { homedir } from 'node:os';
import path from 'node:path';

/** The environment of the calling process, passed in by its entry point: nothing here reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where installed tools are kept between runs: `NEREID_CACHE`, else `nereid` in the user's cache folder. */
export function toolCache(env: Environment): string {
  if (env['NEREID_CACHE']) return path.resolve(env['NEREID_CACHE']);
  if (env['XDG_CACHE_HOME']) return path.resolve(env['XDG_CACHE_HOME'], 'nereid');
  return path.resolve(env['HOME'] ?? homedir(), '.cache', 'nereid');
}

/** The same environment without unset variables, which a child process does not accept. */
export function definedOnly(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
