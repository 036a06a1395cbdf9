import type { Level } from '../auth/installation-permissions.ts';
import type { Repository, Token } from '../state/model.ts';
import type { World } from '../world.ts';
import type { Answer } from './answer.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export type Caller =
  { readonly kind: 'app' } | { readonly kind: 'nobody' } | Extract<Token['holder'], { kind: 'installation' | 'user' }>;

/** One request to a route, after it was authenticated and found valid. */
export interface Call {
  readonly world: World;
  readonly caller: Caller;
  /** The header as it was sent. */
  readonly authorization: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Checked against GitHub's description; read it as the type that the description gives it. */
  readonly body: unknown;
  /** The address without its query, for links to other pages. */
  readonly address: string;
}

/** A call inside a repository that the caller may see. */
export interface RepositoryCall extends Call {
  readonly repository: Repository;
}

interface RouteBase {
  readonly method: Method;
  /** As in GitHub's description: `/repos/{owner}/{repo}`. */
  readonly path: string;
}

export type Route = RouteBase &
  (
    | { readonly access: 'app' | 'anybody'; answer(call: Call): Answer | Promise<Answer> }
    | {
        readonly access: 'installation';
        readonly permission?: Permission;
        answer(call: Call): Answer | Promise<Answer>;
      }
    | {
        readonly access: 'repository';
        readonly permission: Permission;
        answer(call: RepositoryCall): Answer | Promise<Answer>;
      }
  );

export type Permission = readonly [name: string, level: Level];

/** Parameters whose value may contain slashes: branch names. */
const MULTI_SEGMENT = new Set(['ref', 'basehead', 'branch']);

/** A regular expression for a path, with the names of its parameters. */
export function toPattern(path: string): RegExp {
  const pattern = path.replaceAll(/\{(\w+)\}|[.+]/g, (part, name?: string) => {
    if (name === undefined) return `\\${part}`;
    return MULTI_SEGMENT.has(name) ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`;
  });
  return new RegExp(`^${pattern}$`);
}
