/** What an address says of where it leads. */

/** Whether nobody but this machine gets there; `host` as in an address or in a URL. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Where git and the pages are. Those of an Enterprise Server are where its API is, without the API's path. */
export function githubUrlOf(apiUrl: string): string {
  return apiUrl === 'https://api.github.com' ? 'https://github.com' : apiUrl.replace(/\/api\/v3$/, '');
}
