import { siteConfig } from '../src/site-config.ts';

// GitHub's workflows set these: links to sources then lead to the commit of which the site is built. The last is where the
// site stands below its address.
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_SHA: commit, DOCS_BASE: base } = process.env;

export default siteConfig({
  ...(server && repository && commit ? { sources: `${server}/${repository}/blob/${commit}` } : {}),
  ...(base ? { base } : {}),
});
