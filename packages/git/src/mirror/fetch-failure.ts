/** The meaning of a failed fetch: the revision is gone, the server cannot be reached, or the mirror itself is broken. */
import { GitCommandError, RepositoryUnreachableError, RevisionGoneError } from '../errors.ts';

/** git's own words, which `LC_ALL=C` keeps untranslated. */
const GONE = /not our ref|couldn't find remote ref|unadvertised object/i;

const UNREACHABLE = new RegExp(
  [
    'unable to access',
    'could not resolve',
    'authentication failed',
    'could not read (username|password|from remote)',
    'terminal prompts disabled',
    'repository .* not found',
    'does not appear to be a git repository',
    'remote error',
    'hung up',
    'early eof',
    'rpc failed',
    'unexpected disconnect',
    'unable to update url base from redirection',
    'transport .* not allowed',
    'invalid server response|expected flush|protocol error|bad line length',
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
  if (UNREACHABLE.test(output)) return new RepositoryUnreachableError(repository, lastLine(output));
  return new GitCommandError(verb, exitCode, output);
}

function namedIn(output: string, shas: readonly string[]): readonly string[] {
  const named = shas.filter((sha) => output.includes(sha));
  return named.length > 0 ? named : shas;
}

function lastLine(output: string): string {
  return output.split('\n').at(-1) ?? '';
}
