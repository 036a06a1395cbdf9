/** Finds the plans of the pull request that a request names, if its visitor may see them. */
import { pullRequestPageSubject, type PullRequestName } from '@nereid/github';
import { KEYLESS } from '../access/keyless.ts';
import { mayRead } from '../access/may-read.ts';
import type { Access } from '../config.ts';
import type { Message } from '../html/send-message.ts';
import type { FindPullRequest, FoundPullRequest } from './find-pull-request.ts';

export interface PullRequestSources {
  readonly access: Access;
  readonly findPullRequest: FindPullRequest;
}

export interface NamedPullRequest {
  /** Undefined for an address that names none. */
  readonly pull: PullRequestName | undefined;
  /** The `key` in the query of the address. */
  readonly key: unknown;
  /** The `Host` header. */
  readonly host: string | undefined;
}

export type LookedUpPullRequest = FoundPullRequest | { readonly kind: 'keyless' };

/** People without a key get the same answer for every address, and so do people who may not see it and people who ask for nothing. */
export async function lookUpPullRequest(
  { access, findPullRequest }: PullRequestSources,
  { pull, key, host }: NamedPullRequest,
): Promise<LookedUpPullRequest> {
  if (access.kind === 'link' && key === undefined) return { kind: 'keyless' };
  if (pull === undefined) return { kind: 'absent' };
  const mayReadIt = mayRead(access, { subject: pullRequestPageSubject(pull), key, host });
  return mayReadIt ? findPullRequest(pull) : { kind: 'absent' };
}

export const PULL_REQUEST_NOT_SHOWN: Readonly<Record<Exclude<LookedUpPullRequest['kind'], 'found'>, Message>> = {
  absent: {
    status: 404,
    title: 'Not found',
    sentence:
      'No plans of such a pull request are kept, or this link does not open them: links open their page for 90 days. Use the link of its check run nereid/plan.',
  },
  keyless: KEYLESS,
  unavailable: {
    status: 503,
    title: 'Not available',
    sentence:
      'Storage did not answer, so these plans cannot be shown. The checks of the pull request say the same; otherwise try again in a moment.',
  },
};
