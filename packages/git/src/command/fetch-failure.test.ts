import { describe, expect, test } from '@jest/globals';
import { GitCommandError, RepositoryUnreachableError, RevisionGoneError } from '../errors.ts';
import { fetchFailure, isPassing } from './fetch-failure.ts';

const failureOf = (output: string) =>
  fetchFailure({ repository: 'acme/infra', shas: ['1'.repeat(40)], verb: 'fetch', exitCode: 128, output });

/** What git 2.39 says when an answer is missing, incomplete, or none of git's. */
const PASSING = [
  "fatal: unable to access 'https://github.com/acme/infra.git/': The requested URL returned error: 502",
  'error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502\nfatal: expected flush after ref listing',
  "error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502\nfatal: expected 'acknowledgments'",
  "error: RPC failed; HTTP 408 curl 22 The requested URL returned error: 408\nfatal: expected 'packfile'",
  "fatal: unable to access 'https://github.com/acme/infra.git/': Empty reply from server",
  "fatal: unable to access 'https://github.com/acme/infra.git/': Operation too slow. Less than 1 bytes/sec transferred",
  'fatal: expected flush after capabilities',
  "fatal: expected 'acknowledgments'",
  'error: 682 bytes of body are still expected\nfatal: protocol error: bad pack header',
  'fetch-pack: unexpected disconnect while reading sideband packet\nfatal: early EOF\nfatal: index-pack failed',
  'error: inflate: data stream error (incorrect data check)\nfatal: index-pack failed',
  'fatal: invalid ls-refs response: 445f4c9',
  'fatal: remote-curl: bad line length character: <htm\nfatal: the remote end hung up unexpectedly',
  "fatal: unable to access 'https://github.com/acme/infra.git/': Could not resolve host: github.com",
];

const REFUSED = [
  "fatal: unable to access 'https://github.com/acme/infra.git/': The requested URL returned error: 403",
  "error: RPC failed; HTTP 429 curl 22 The requested URL returned error: 429\nfatal: expected 'packfile'",
  "fatal: repository 'https://github.com/acme/infra.git/' not found",
  "fatal: could not read Username for 'https://github.com': terminal prompts disabled\nfatal: expected flush after ref listing",
  "fatal: remote error: filter 'blob:none' not supported",
];

describe('a fetch that failed', () => {
  test.each(PASSING)('a fetch that failed with %j may be tried again', (output) => {
    expect(failureOf(output)).toBeInstanceOf(RepositoryUnreachableError);
    expect(isPassing(failureOf(output))).toBe(true);
  });

  test.each(REFUSED)('a fetch that failed with %j was refused', (output) => {
    expect(failureOf(output)).toMatchObject({ code: 'REPOSITORY_UNREACHABLE', isRefused: true });
    expect(isPassing(failureOf(output))).toBe(false);
  });

  test('may pass, in words that nobody has seen before, and may be the fault of the mirror', () => {
    const failure = failureOf('fatal: expected a packet, got a picture');

    expect(failure).toBeInstanceOf(GitCommandError);
    expect(isPassing(failure)).toBe(true);
  });

  test('for a revision that is gone does not pass', () => {
    const failure = failureOf('fatal: remote error: upload-pack: not our ref 1111');

    expect(failure).toBeInstanceOf(RevisionGoneError);
    expect(isPassing(failure)).toBe(false);
  });

  test('says what broke first, and what broke because of it', () => {
    const { message } = failureOf(
      'warning: slow\nerror: RPC failed; HTTP 502\nfatal: expected flush after ref listing',
    );

    expect(message).toContain('found: error: RPC failed; HTTP 502; fatal: expected flush after ref listing; check');
  });
});
