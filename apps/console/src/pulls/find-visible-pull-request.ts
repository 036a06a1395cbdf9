/** Finds the plans of the pull request that a request names, if its visitor may see them. */
import { pullRequestPageSubject, type PullRequestName } from '@nereid/domain/console';
import type { Request } from 'express';
import { KEYLESS } from '../access/keyless.ts';
import { mayRead } from '../access/may-read.ts';
import { openPage, type OpeningSources } from '../access/open-page.ts';
import type { Refusal } from '../access/reading.ts';
import type { Message } from '../platform/http/send-message.ts';
import type { FindPullRequest, FoundPullRequest } from './find-pull-request.ts';
import { withKeyedLinks } from './view-of.ts';

export type VisiblePullRequestSources = OpeningSources & { readonly findPullRequest: FindPullRequest };

export type PullRequestOrRefusal = FoundPullRequest | { readonly kind: 'keyless' } | Refusal;

/** People without a key get the same answer for every address, and so do people who may not see it and people who ask for nothing. */
export async function findVisiblePullRequest(
  sources: VisiblePullRequestSources,
  request: Request,
  pull: PullRequestName | undefined,
): Promise<PullRequestOrRefusal> {
  const opened = await openPage(sources, request, pull && pullRequestPageSubject(pull));
  if (opened.kind !== 'open') return opened;
  if (pull === undefined || !(await opened.maySee(pull))) return { kind: 'absent' };
  const found = await sources.findPullRequest(pull);
  const secret = secretFor(sources, request, pull);
  return found.kind === 'found' && secret !== undefined
    ? { ...found, view: withKeyedLinks(found.view, secret) }
    : found;
}

/**
 * Of the keys of links, for somebody who came by one: whoever has the link to all plans may open each. For people who are logged in, the
 * page holds none: links of public repositories have none, and the console does not know which these are.
 */
function secretFor({ access }: OpeningSources, request: Request, pull: PullRequestName): string | undefined {
  const { query, headers } = request;
  if (access.kind === 'local') return undefined;
  const isByKey = mayRead(access, { subject: pullRequestPageSubject(pull), key: query['key'], host: headers.host });
  return isByKey ? access.keys[0]?.reveal() : undefined;
}

export const PULL_REQUEST_NOT_SHOWN: Readonly<
  Record<Exclude<PullRequestOrRefusal['kind'], 'found' | 'refused'>, Message>
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
