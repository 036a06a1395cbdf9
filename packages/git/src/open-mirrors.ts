/** The mirrors that a process has open, and with whose authorization each of them fetches. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import type { Repository } from '@nereid/domain/root';
import type { GitTimeouts, MirrorFetch } from './command/git-commands.ts';
import { repositoryPath } from './names.ts';
import type { Authorization } from './trees/working-trees.ts';
import { createMirror, type Mirror, type MirrorOptions } from './mirror/mirror.ts';

export interface OpenMirrorsOptions {
  readonly mirrorsDir: string;
  /** Of the server, without credentials. */
  readonly gitUrl: URL;
  /** Of git's commands. */
  readonly environment: MirrorOptions['environment'];
  /** The value of the Authorization header for one command. Without this, only callers bring one. */
  readonly authorization: ((repository: Repository) => Promise<string | undefined>) | undefined;
  readonly timeouts: GitTimeouts;
  readonly onFetch: ((fetched: MirrorFetch) => void) | undefined;
}

export interface OpenMirrors {
  /**
   * The mirror, which fetches with the authorization of whoever asks: several may ask at once, and one of them for an
   * installation that is none of this repository. A host on its own goes on with what its last check-out brought.
   */
  readonly mirrorOf: (repository: Repository, authorization?: Authorization) => Mirror;
  /** By the path of its repository. Fetches with nobody's authorization. */
  readonly mirrorAt: (path: string) => Mirror;
}

export function createOpenMirrors(options: OpenMirrorsOptions): OpenMirrors {
  const { mirrorsDir, gitUrl, environment, authorization: byRepository, timeouts, onFetch } = options;
  const mirrors = new Map<string, Mirror>();
  const asking = new AsyncLocalStorage<Authorization>();
  const lastGiven = new Map<string, Authorization>();

  function mirrorOf(repository: Repository, authorization?: Authorization): Mirror {
    const path = repositoryPath(repository);
    if (authorization) lastGiven.set(path, authorization);
    const own = authorization ?? (byRepository ? () => byRepository(repository) : lastGiven.get(path));
    const mirror = mirrorAt(path);
    return own === undefined ? mirror : askingWith(own, mirror);
  }

  function askingWith(authorization: Authorization, mirror: Mirror): Mirror {
    return {
      ...mirror,
      use: (...asked) => asking.run(authorization, () => mirror.use(...asked)),
      ask: (...asked) => asking.run(authorization, () => mirror.ask(...asked)),
      fetchObjects: (...asked) => asking.run(authorization, () => mirror.fetchObjects(...asked)),
    };
  }

  function mirrorAt(path: string): Mirror {
    const mirror = mirrors.get(path) ?? openMirror(path);
    mirrors.set(path, mirror);
    return mirror;
  }

  function openMirror(path: string): Mirror {
    return createMirror({
      repository: path,
      dir: join(mirrorsDir, `${path}.git`),
      url: `${gitUrl.href}${path}.git`,
      gitUrl: gitUrl.href,
      environment,
      authorization: async () => asking.getStore()?.(),
      timeouts,
      onFetch,
    });
  }

  return { mirrorOf, mirrorAt };
}
