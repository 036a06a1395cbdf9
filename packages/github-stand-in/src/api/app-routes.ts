import { permits, type Level } from '../auth/installation-permissions.ts';
import { mintToken } from '../auth/tokens.ts';
import { appJson, installationJson } from '../json/app-json.ts';
import { repositoryJson } from '../json/repository-json.ts';
import { sameName } from '../state/accounts.ts';
import type { Installation, Permissions, Repository } from '../state/model.ts';
import { created, notFound, ok, unprocessable } from './answer.ts';
import { paged } from './pages.ts';
import { rateLimitJson } from './rate-limit.ts';
import type { Call, Route } from './route.ts';
import { visibleRepositories } from './access.ts';

/** The App itself, its installations, their tokens. */
export const appRoutes: readonly Route[] = [
  { method: 'GET', path: '/app', access: 'app', answer: ({ world }) => ok(appJson(world)) },
  {
    method: 'GET',
    path: '/app/installations',
    access: 'app',
    answer: (call) => paged(call, call.world.store.state.installations, (each) => installationJson(call.world, each)),
  },
  {
    method: 'GET',
    path: '/app/installations/{installation_id}',
    access: 'app',
    answer: (call) => ok(installationJson(call.world, requireInstallation(call))),
  },
  {
    method: 'POST',
    path: '/app/installations/{installation_id}/access_tokens',
    access: 'app',
    answer: createAccessToken,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/installation',
    access: 'app',
    answer({ world, params }) {
      const { repositories, installations } = world.store.state;
      const [owner = '', name = ''] = [params['owner'], params['repo']];
      const repository = repositories.find((each) => sameName(each.owner, owner) && sameName(each.name, name));
      const installation = installations.find((each) => each.id === repository?.installationId);
      if (!installation) throw notFound();
      return ok(installationJson(world, installation));
    },
  },
  {
    method: 'GET',
    path: '/installation/repositories',
    access: 'installation',
    answer(call) {
      const visible = visibleRepositories(call);
      return paged(
        call,
        visible,
        (each) => repositoryJson(call.world, each),
        (repositories) => ({ total_count: visible.length, repository_selection: 'all', repositories }),
      );
    },
  },
  {
    method: 'GET',
    path: '/rate_limit',
    access: 'anybody',
    answer: ({ world, caller }) => ok(rateLimitJson(world, caller)),
  },
];

interface AccessTokenBody {
  readonly permissions?: Permissions;
  readonly repositories?: readonly string[];
  readonly repository_ids?: readonly number[];
}

function createAccessToken(call: Call) {
  const { world } = call;
  const installation = requireInstallation(call);
  // The body was checked against GitHub's description: it has this type, or is missing.
  const body = (call.body ?? {}) as AccessTokenBody;
  const permissions: Permissions = { ...(body.permissions ?? world.app.permissions), metadata: 'read' };
  for (const [name, level] of Object.entries(permissions)) {
    if (level && !permits(world.app.permissions, name, level satisfies Level)) {
      throw unprocessable('The permissions requested are not granted to this installation.');
    }
  }
  const chosen = chooseRepositories(world.store.state.repositories, installation, body);
  const { token, expiresAt } = mintToken(world.store, {
    kind: 'installation',
    installationId: installation.id,
    permissions,
    repositoryIds: chosen?.map(({ id }) => id),
  });
  return created({
    token,
    expires_at: expiresAt,
    permissions,
    repository_selection: chosen ? 'selected' : 'all',
    ...(chosen ? { repositories: chosen.map((each) => repositoryJson(world, each)) } : {}),
  });
}

/** Undefined when the token is for all repositories of the installation. */
function chooseRepositories(
  all: readonly Repository[],
  installation: Installation,
  { repositories: names, repository_ids: ids }: AccessTokenBody,
): Repository[] | undefined {
  if (!names && !ids) return undefined;
  const own = all.filter(({ installationId }) => installationId === installation.id);
  const byName = (names ?? []).map((name) => own.find((each) => sameName(each.name, name)));
  const byId = (ids ?? []).map((id) => own.find((each) => each.id === id));
  return [...byName, ...byId].map((repository) => {
    if (repository) return repository;
    throw unprocessable(
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  });
}

function requireInstallation({ world, params }: Call): Installation {
  const installation = world.store.state.installations.find(({ id }) => id === Number(params['installation_id']));
  if (!installation) throw notFound();
  return installation;
}
