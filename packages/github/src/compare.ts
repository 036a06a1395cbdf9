import type { Comparison, Repository } from '@nereid/contracts';
import type { Clients } from './clients.ts';
import { isNotFound } from './failures.ts';

/** How `head` stands to `base`. A revision that GitHub does not have (any more) counts as diverged. */
export async function compare(
  clients: Clients,
  repository: Repository,
  base: string,
  head: string,
): Promise<Comparison> {
  try {
    return await clients.ask(repository.installationId, 'GET comparison', async (octokit) => {
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
        owner: repository.owner,
        repo: repository.name,
        basehead: `${base}...${head}`,
        // Only the status is of interest; a page of one commit keeps the answer small.
        per_page: 1,
      });
      return data.status;
    });
  } catch (error) {
    if (isNotFound(error)) return 'diverged';
    throw error;
  }
}
