/** Writes one of our check runs to GitHub: one request each. */
import { defined } from '@nereid/domain/defined';
import type { CheckRunRef } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import type { inBackground } from '../client/limits/background.ts';
import type { CheckRunContent } from '@nereid/forge';
import type { Clients } from '../client/clients.ts';
import { refOf } from './own-check-run.ts';

/** octokit's options for one request in the background. */
export type BackgroundRequest = ReturnType<typeof inBackground>;

/** Creating a check run is not idempotent, so one attempt is made. */
export function post(
  clients: Clients,
  repository: Repository,
  content: CheckRunContent,
  request?: BackgroundRequest,
): Promise<CheckRunRef> {
  return clients.ask(repository, 'POST check run', async (octokit) => {
    const { data } = await octokit.request('POST /repos/{owner}/{repo}/check-runs', {
      ...inRepository(repository),
      head_sha: content.headSha,
      ...bodyOf(content),
      ...(request && { request }),
    });
    return refOf(data);
  });
}

export function patch(
  clients: Clients,
  repository: Repository,
  id: number,
  content: CheckRunContent,
  request?: BackgroundRequest,
): Promise<CheckRunRef> {
  return clients.ask(repository, 'PATCH check run', async (octokit) => {
    const { data } = await octokit.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
      ...inRepository(repository),
      check_run_id: id,
      ...bodyOf(content),
      ...(request && { request }),
    });
    return refOf(data);
  });
}

export function inRepository({ owner, name }: Repository): { owner: string; repo: string } {
  return { owner, repo: name };
}

function bodyOf(content: CheckRunContent) {
  const { name, externalId, detailsUrl, title, summary, text, actions } = content;
  return {
    name,
    external_id: externalId,
    ...defined({ details_url: detailsUrl }),
    ...stateOf(content),
    output: { title, summary, ...defined({ text }) },
    actions: [...actions],
  };
}

/** GitHub completes a check run as soon as it gets a conclusion, so only a completed check run may send one. */
function stateOf({ status, conclusion = 'neutral', completedAt }: CheckRunContent) {
  if (status !== 'completed') return { status };
  return { status, conclusion, ...defined({ completed_at: completedAt }) };
}
