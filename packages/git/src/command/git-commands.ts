/** Runs the git commands of one repository: local ones, which use only the disk, and remote ones, which reach the server. */
import {
  gitCredentialsEnvironment,
  OFFLINE,
  settingsOf,
  withSettings,
  type Environment,
  type Settings,
} from './environment.ts';
import { GitCommandError, RevisionGoneError } from '../errors.ts';
import { fetchFailure, isPassing } from './fetch-failure.ts';
import { retryBriefly } from './retry-briefly.ts';
import { runGit, type GitResult } from './run-git.ts';

export interface GitCommandsOptions {
  /** `owner/name`. */
  readonly repository: string;
  readonly gitUrl: string;
  readonly environment: Environment;
  /** The value of the Authorization header; asked for before each command that reaches the server. */
  readonly authorization: () => Promise<string | undefined>;
  readonly timeouts: GitTimeouts;
  /** Called after each fetch. */
  readonly onFetch?: ((fetched: MirrorFetch) => void) | undefined;
}

/** One fetch of a mirror, once it is over. `gone`: the server has no such commit. `stopped`: whoever wanted it gave up. */
export interface MirrorFetch {
  readonly outcome: 'ok' | 'gone' | 'stopped' | 'failed';
  readonly durationMs: number;
}

export interface GitTimeouts {
  /** One command that uses only the disk. */
  readonly localMs: number;
  /** One attempt of a command that talks to the server. */
  readonly networkMs: number;
  /** A command that talks to the server is given up after this long without a byte from it. In whole seconds. */
  readonly silenceMs: number;
  /** For this long after its first failure, a command that talks to the server is tried again, unless the server said no. */
  readonly retryMs: number;
}

export interface LocalCommand {
  readonly verb: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly signal: AbortSignal | undefined;
  /** Exit codes besides 0 that are answers rather than failures. */
  readonly accepted?: readonly number[];
  /** Git is stopped when it prints more. */
  readonly outputLimitBytes?: number;
}

export type PlacedCommand = LocalCommand & { readonly cwd: string };

export interface Fetch {
  readonly cwd: string;
  readonly signal: AbortSignal | undefined;
}

export interface GitCommands {
  /** Reaches no server, even for an object that the mirror lacks. Throws `GitCommandError` on an unaccepted exit code. */
  local(command: PlacedCommand): Promise<GitResult>;
  /** With credentials. Throws the error that `fetchFailure` makes of a failure. */
  remote(command: PlacedCommand): Promise<GitResult>;
  fetch(fetch: Fetch & { readonly refspecs: readonly string[]; readonly shas: readonly string[] }): Promise<void>;
  /** Fetches objects by their ids, without the objects that they refer to. */
  fetchObjects(fetch: Fetch & { readonly ids: readonly string[] }): Promise<void>;
}

const FETCH_ARGS = [
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
  '--no-show-forced-updates',
];

export function createGitCommands(options: GitCommandsOptions): GitCommands {
  const { repository, gitUrl, environment, authorization, timeouts, onFetch } = options;
  const offline = { ...environment, ...OFFLINE };
  const silence: Settings = [
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', String(timeouts.silenceMs / 1_000)],
  ];

  return {
    async local(command) {
      const result = await runGit({ ...command, environment: offline, timeoutMs: timeouts.localMs });
      if (isAccepted(result, command)) return result;
      throw new GitCommandError(command.verb, result.exitCode, result.stderr);
    },
    remote,
    async fetch({ cwd, refspecs, shas, signal }) {
      await fetching({ args: [...FETCH_ARGS, 'origin', ...refspecs], cwd, signal }, { shas });
    },
    async fetchObjects({ cwd, ids, signal }) {
      const args = [...FETCH_ARGS, '--filter=blob:none', '--stdin', 'origin'];
      // Our commits say nothing about the blobs that we have, so there is no need to tell the server about them.
      const settings = [['fetch.negotiationAlgorithm', 'noop']] as const;
      await fetching({ args, input: asLines(ids), cwd, signal }, { settings });
    },
  };

  async function fetching(command: Omit<PlacedCommand, 'verb'>, about: About): Promise<void> {
    const startedAt = performance.now();
    const end = (outcome: MirrorFetch['outcome']) => onFetch?.({ outcome, durationMs: performance.now() - startedAt });
    try {
      await remote({ verb: 'fetch', ...command }, about);
      end('ok');
    } catch (error) {
      end(command.signal?.aborted === true ? 'stopped' : error instanceof RevisionGoneError ? 'gone' : 'failed');
      throw error;
    }
  }

  async function remote(command: PlacedCommand, about: About = {}): Promise<GitResult> {
    const { signal } = command;
    return retryBriefly(() => attempt(command, about), { forMs: timeouts.retryMs, isPassing, signal });
  }

  async function attempt(command: PlacedCommand, { shas = [], settings = [] }: About): Promise<GitResult> {
    const credentials = gitCredentialsEnvironment(gitUrl, await authorization());
    const result = await runGit({
      ...command,
      environment: withSettings(environment, [...silence, ...settings, ...settingsOf(credentials)]),
      timeoutMs: timeouts.networkMs,
    });
    if (isAccepted(result, command)) return result;
    throw fetchFailure({ repository, shas, verb: command.verb, exitCode: result.exitCode, output: result.stderr });
  }
}

interface About {
  readonly shas?: readonly string[];
  readonly settings?: Settings;
}

/** One per line, as git reads ids. */
export function asLines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}

function isAccepted(result: GitResult, { accepted = [] }: LocalCommand): boolean {
  return result.exitCode === 0 || accepted.includes(result.exitCode);
}
