/** Finds the plans of the pull request that a request names, if its visitor may see them. */
import { pullRequestPageSubject, type PullRequestName } from '@nereid/github';
import type { Request } from 'express';
import { KEYLESS } from '../access/keyless.ts';
import { openPage } from '../access/open-page.ts';
import type { Refusal } from '../access/reading.ts';
import type { Context } from '../context.ts';
import type { Message } from '../html/send-message.ts';
import type { FindPullRequest, FoundPullRequest } from './find-pull-request.ts';

export type PullRequestSources = Context & { readonly findPullRequest: FindPullRequest };

export type LookedUpPullRequest = FoundPullRequest | { readonly kind: 'keyless' } | Refusal;

/** People without a key get the same answer for every address, and so do people who may not see it and people who ask for nothing. */
export async function lookUpPullRequest(
  context: PullRequestSources,
  request: Request,
  pull: PullRequestName | undefined,
): Promise<LookedUpPullRequest> {
  const opened = await openPage(context, request, pull && pullRequestPageSubject(pull));
  if (opened.kind !== 'open') return opened;
  return pull && (await opened.maySee(pull)) ? context.findPullRequest(pull) : { kind: 'absent' };
}

export const PULL_REQUEST_NOT_SHOWN: Readonly<
  Record<Exclude<LookedUpPullRequest['kind'], 'found' | 'refused'>, Message>
> = {
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
