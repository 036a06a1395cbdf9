/** The server and the App of the stage: what its file says, and the context of its control worker. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOKEN_SCOPES } from '@nereid/domain/actions';
import { hashOfToken } from '@nereid/config';
import { makeAppKey, type GitHubStandIn } from '@nereid/github-stand-in';
import { readConfig } from '../../platform/config/config.ts';
import { createContext, type WorkerContext } from '../../platform/context.ts';
import { KEY_VARIABLES } from '../../testing/test-signatures.ts';

export const APP = { id: 4711, slug: 'nereid' };

export const { privateKey } = makeAppKey();

export async function openContext(folder: string, standIn: GitHubStandIn): Promise<WorkerContext> {
  const file = join(folder, 'nereid.server.yaml');
  await mkdir(join(folder, 'kept'));
  await mkdir(join(folder, 'policies'));
  await writeFile(file, serverConfig(folder));
  const environment = {
    PATH: process.env['PATH'],
    NEREID_CONFIG: file,
    GITHUB_APP_ID: String(APP.id),
    GITHUB_APP_PRIVATE_KEY: privateKey,
    GITHUB_API_URL: standIn.apiUrl,
    DATA_DIR: join(folder, 'data'),
    WORK_DIR: join(folder, 'work'),
    CONSOLE_URL: 'http://127.0.0.1:4144',
    LOG_LEVEL: 'fatal',
    ...KEY_VARIABLES,
  };
  const context = await createContext(readConfig(environment, false), environment);
  if (context.forge === undefined) throw new Error('expected the context of a control worker, found that of a host');
  return context;
}

/**
 * Pull requests of repositories called `planned-…` are planned, of those called `forked-…` also those from forks, of those called
 * `any-base-…` those into any branch, and of those called `blocked-…` none passes while its plans are out of date. Roots called `guarded` and `careful` take more than others do, those called `loose` less.
 * Some are reviewed before the merge.
 */
function serverConfig(folder: string): string {
  return `
repositories:
  - { match: acme/planned-*, pull_requests: plan }
  - { match: acme/forked-*, pull_requests: plan, fork_plans: on_command }
  - { match: acme/any-base-*, pull_requests: plan, plan_all_bases: true }
  - { match: acme/blocked-*, pull_requests: plan, stale: block }
  - match: acme/*
    roots:
      early:
        plan_review: before_merge
      early-guarded:
        plan_review: before_merge
        permissions: { confirm: { not_author: true } }
      guarded:
        permissions:
          rerun: { permission: admin }
          plan: { permission: admin }
          apply: { permission: admin }
          unlock: { permission: admin }
          confirm: { not_author: true }
      prod/**:
        permissions:
          confirm: { teams: [acme/officers], not_author: true }
      paired:
        review: { each_of: [acme/sre, acme/dba] }
      name:secret-*:
        permissions: { confirm: { permission: admin } }
      careful:
        permissions: { apply: { permission: admin } }
      loose:
        plan_review: auto
        auto_when: { max_changes: 200 }
        permissions: { apply_force: { permission: write } }
storage: { deployments: "file:${folder}/kept", plans: "file:${folder}/kept", logs: "file:${folder}/kept" }
audit: { to: "file:${folder}/audit" }
console:
  operators: [ada]
  tokens:
${TOKENS}
policies:
  - { name: cost, source: policies, enforce: required, owners: { users: [wim], teams: [acme/finance] } }
  - { name: tags, source: policies, enforce: required, owners: { users: [ada] } }
`;
}

/** The tokens of people, "token of <login>", one that may only read, and one for some repositories. */
const TOKENS = [
  ...['ada', 'wim', 'rea'].map((login) => tokenEntry(login, login, TOKEN_SCOPES)),
  tokenEntry('reads', 'ada', ['read']),
  tokenEntry('some', 'ada', TOKEN_SCOPES, ', repositories: [acme/*]'),
].join('\n');

function tokenEntry(name: string, login: string, scopes: readonly string[], more = ''): string {
  const sha256 = hashOfToken(`token of ${name}`);
  return `    - { name: ${name}, sha256: ${sha256}, login: ${login}, scopes: [${scopes.join(', ')}], expires: 2999-01-01${more} }`;
}
