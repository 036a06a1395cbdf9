import { fullName } from '@nereid/domain/root';
import type { Pages } from '@nereid/forge';

/** Pages under `webUrl`: `https://github.com`, or an Enterprise Server. */
export function githubPages(webUrl: string): Pages {
  const base = webUrl.endsWith('/') ? webUrl : `${webUrl}/`;
  return {
    commit: (repository, sha) => new URL(`${fullName(repository)}/commit/${sha}`, base).href,
    pullRequest: (repository, number) => new URL(`${fullName(repository)}/pull/${number}`, base).href,
    status: (repository, id) => new URL(`${fullName(repository)}/runs/${id}`, base).href,
    file: (repository, sha, path) => `${base}${fullName(repository)}/blob/${sha}/${path}`,
  };
}
