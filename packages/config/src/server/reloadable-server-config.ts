/** The server's file while a process runs: read at the start, and again on SIGHUP. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigurationError, type LocatedProblem } from '../environment/configuration-error.ts';
import { foundAt } from '../environment/unreadable.ts';
import { withPolicyFolders } from './policies/policy-folders.ts';
import { readServerConfig, type ServerConfigRead } from './read-server-config.ts';
import type { ServerConfig } from './server-config.ts';

export interface ReloadableServerConfig {
  /** Do not keep the result: it changes when the file is reloaded. */
  current(): ServerConfig;
  /** Reads the file again; a broken one leaves the old configuration in force. */
  reload(): Reloaded;
  /** Undefined while the file as it was last read is in force. */
  outdated(): OutdatedServerConfig | undefined;
}

/** The file could not be used when it was read again, so that an earlier version of it is in force. */
export interface OutdatedServerConfig {
  /** The absolute path of the file. */
  readonly file: string;
  /** The first reload that failed, ISO 8601. */
  readonly since: string;
  /** As the last reload found them. */
  readonly problems: readonly LocatedProblem[];
}

export type Reloaded =
  { readonly kind: 'reloaded' } | { readonly kind: 'kept'; readonly problems: readonly LocatedProblem[] };

/** Throws a ConfigurationError when the file is not there or has problems. */
export function reloadableServerConfig(path: string): ReloadableServerConfig {
  const first = readServerConfigFile(path);
  if (first.kind === 'invalid') throw new ConfigurationError(first.problems);
  let { config } = first;
  let outdated: OutdatedServerConfig | undefined;
  return {
    current: () => config,
    reload: () => {
      const read = readServerConfigFile(path);
      if (read.kind === 'invalid') {
        const { problems } = read;
        outdated = { file: resolve(path), since: outdated?.since ?? new Date().toISOString(), problems };
        return { kind: 'kept', problems };
      }
      config = read.config;
      outdated = undefined;
      return { kind: 'reloaded' };
    },
    outdated: () => outdated,
  };
}

type ServerConfigFileRead =
  | Extract<ServerConfigRead, { kind: 'ok' }>
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

function readServerConfigFile(path: string): ServerConfigFileRead {
  const text = readText(path);
  if (text.kind === 'unreadable') return { kind: 'invalid', problems: [unreadable(text.found)] };
  const read = readServerConfig(text.text);
  if (read.kind === 'ok') return { ...read, config: withPolicyFolders(read.config, dirname(resolve(path))) };
  return { kind: 'invalid', problems: read.problems.map((problem) => ({ ...problem, file: path })) };
}

function readText(path: string): { kind: 'text'; text: string } | { kind: 'unreadable'; found: string } {
  try {
    return { kind: 'text', text: readFileSync(path, 'utf8') };
  } catch (error) {
    // The absolute path, because a process is easily started in an unexpected folder.
    return { kind: 'unreadable', found: foundAt(resolve(path), error) };
  }
}

function unreadable(found: string): LocatedProblem {
  return {
    path: 'NEREID_CONFIG',
    message: `expected the server's configuration, found ${found}; set NEREID_CONFIG to the path of the file, which nereid setup writes`,
  };
}
