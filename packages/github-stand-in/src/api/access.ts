import { verifyAppJwt } from '../auth/app-jwt.ts';
import { permits } from '../auth/installation-permissions.ts';
import { findTokenHolder } from '../auth/tokens.ts';
import { hasRole } from '../state/accounts.ts';
import { findRepository } from '../state/find.ts';
import type { Repository } from '../state/model.ts';
import type { World } from '../world.ts';
import { ApiRefusal, notFound, type Answer } from './answer.ts';
import type { Call, Caller, Route } from './route.ts';

/** The caller who sends this `Authorization` header. */
export async function authenticate(world: World, authorization: string | undefined): Promise<Caller> {
  if (authorization === undefined || /^basic /i.test(authorization)) return { kind: 'nobody' };
  const [, token = ''] = /^(?:bearer|token) (.+)$/i.exec(authorization) ?? [];
  if (token.split('.').length === 3) {
    const jwt = await verifyAppJwt(token, world.app.id, world.app.publicKey);
    if (jwt.kind === 'refused') throw new ApiRefusal(401, jwt.message);
    return { kind: 'app' };
  }
  const holder = findTokenHolder(world.store, token);
  if (holder === undefined || holder.kind === 'person') throw new ApiRefusal(401, 'Bad credentials');
  return holder;
}

/** Answers, if the caller may ask: a repository that it may not see is not found; without a permission it is refused. */
export async function answerWithin(route: Route, call: Call): Promise<Answer> {
  switch (route.access) {
    case 'anybody':
      return route.answer(call);
    case 'app':
      if (call.caller.kind !== 'app') throw new ApiRefusal(401, 'A JSON web token could not be decoded');
      return route.answer(call);
    case 'installation':
      requirePermission(call.caller, route.permission);
      return route.answer(call);
    case 'repository': {
      requirePermission(call.caller, undefined);
      const repository = findRepository(call.world.store, call.params['owner'] ?? '', call.params['repo'] ?? '');
      if (!repository || !visibleRepositories(call).includes(repository)) throw notFound();
      requirePermission(call.caller, route.permission);
      return route.answer({ ...call, repository });
    }
  }
}

/** The repositories that an installation token reaches, or that a person may read. */
export function visibleRepositories({ world, caller }: Call): Repository[] {
  if (caller.kind === 'user')
    return world.store.state.repositories.filter((each) => !each.private || hasRole(each, caller.login, 'read'));
  if (caller.kind !== 'installation') return [];
  const { installationId, repositoryIds } = caller;
  return world.store.state.repositories.filter(
    (each) => each.installationId === installationId && (repositoryIds?.includes(each.id) ?? true),
  );
}

function requirePermission(
  caller: Caller,
  permission: readonly [string, 'read' | 'write' | 'admin'] | undefined,
): void {
  if (caller.kind === 'nobody') throw new ApiRefusal(401, 'Requires authentication');
  if (caller.kind === 'app') throw new ApiRefusal(403, 'Resource not accessible by integration');
  // As people, the App knows what everybody knows of a repository.
  if (caller.kind === 'user') {
    if (permission === undefined || permission[0] === 'metadata') return;
    throw new ApiRefusal(403, 'Resource not accessible by integration');
  }
  if (permission && !permits(caller.permissions, ...permission)) {
    throw new ApiRefusal(403, 'Resource not accessible by integration');
  }
}
