/**
 * The meaning of a failed fetch: the revision is gone, the server cannot be reached, or the mirror itself is broken.
 *
 * Git words a broken connection in as many ways as there are places to break it. So a failure counts as one that may pass unless
 * the server's refusal is recognised.
 */
import { GitCommandError, RepositoryUnreachableError, RevisionGoneError } from '../errors.ts';

/** git's own words, which `LC_ALL=C` keeps untranslated. */
const GONE = /not our ref|couldn't find remote ref|unadvertised object/i;

/** The server, or git on its own, says no: within seconds it says the same again. 408 is a time-out. */
const REFUSED = new RegExp(
  [
    'requested url returned error: 4(?!08)\\d\\d',
    'http 4(?!08)\\d\\d',
    'authentication failed',
    'could not read (username|password)',
    'terminal prompts disabled',
    'repository .* not found',
    'does not appear to be a git repository',
    "filter '.*' not supported",
    'unable to update url base from redirection',
    'transport .* not allowed',
  ].join('|'),
  'i',
);

/** Words that show that the server or the way to it is at fault. Without them it may be the mirror, which is then replaced. */
const UNREACHABLE = new RegExp(
  [
    'unable to access',
    'could not resolve',
    'could not read from remote',
    'remote error',
    'remote-curl',
    'hung up',
    'early eof',
    'rpc failed',
    'unexpected disconnect',
    'body are still expected',
    'index-pack failed',
    'invalid (ls-refs|server) response',
    "expected (flush|'\\w+')",
    'protocol error',
    'bad line length',
  ].join('|'),
  'i',
);

export interface FailedFetch {
  readonly repository: string;
  readonly shas: readonly string[];
  readonly verb: string;
  readonly exitCode: number;
  readonly output: string;
}

/** A `GitCommandError` means that neither the revision nor the server is at fault: the mirror is. */
export function fetchFailure({ repository, shas, verb, exitCode, output }: FailedFetch): Error {
  if (GONE.test(output)) return new RevisionGoneError(repository, namedIn(output, shas));
  const isRefused = REFUSED.test(output);
  if (isRefused || UNREACHABLE.test(output)) {
    return new RepositoryUnreachableError(repository, complaintsIn(output), { isRefused });
  }
  return new GitCommandError(verb, exitCode, output);
}

/** Whether the same fetch may succeed within seconds. */
export function isPassing(error: unknown): boolean {
  return (error instanceof RepositoryUnreachableError && !error.isRefused) || error instanceof GitCommandError;
}

function namedIn(output: string, shas: readonly string[]): readonly string[] {
  const named = shas.filter((sha) => output.includes(sha));
  return named.length > 0 ? named : shas;
}

/** The last line of several often names only what broke because of the first. */
function complaintsIn(output: string): string {
  const lines = output.split('\n');
  const complaints = lines.filter((line) => /^(?:error|fatal): /.test(line));
  return (complaints.length > 0 ? complaints : lines.slice(-1)).join('; ');
}
