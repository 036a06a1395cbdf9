/** Facts that follow from an address. */

/** Whether only this machine can reach the host; `host` as in an address or in a URL. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** The address of git and of GitHub's pages. For an Enterprise Server, it is the API's address without the API's path. */
export function githubUrlOf(apiUrl: string): string {
  return apiUrl === 'https://api.github.com' ? 'https://github.com' : apiUrl.replace(/\/api\/v3$/, '');
}
