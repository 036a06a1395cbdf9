/** Facts that follow from an address. */

/** Whether only this machine can reach the host; `host` as in an address or in a URL. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Of a company on GitHub's own machines, at `acme.ghe.com`. */
const COMPANY = /^https:\/\/([a-z\d-]+\.ghe\.com)$/;

/** The address of git and of GitHub's pages, without a trailing slash. For an Enterprise Server, the API's without the API's path. */
export function githubUrlOf(apiUrl: string): string {
  const [, host] = /^https:\/\/api\.(github\.com|[a-z\d-]+\.ghe\.com)$/.exec(apiUrl) ?? [];
  return host === undefined ? apiUrl.replace(/\/api\/v3$/, '') : `https://${host}`;
}

/** The other way round. */
export function githubApiUrlOf(url: string): string {
  if (url === 'https://github.com') return 'https://api.github.com';
  const [, host] = COMPANY.exec(url) ?? [];
  return host === undefined ? `${url}/api/v3` : `https://api.${host}`;
}
