/** The part of the worker's environment that Terraform and steps see: the allowed variables, and no others. */

export interface EnvironmentOptions {
  /** The worker's own environment. */
  readonly from: Readonly<Record<string, string | undefined>>;
  /** Names to let through besides the basic ones; a `*` at the end matches any rest. */
  readonly allow: readonly string[];
  /** A private folder, so that `~/.terraformrc`, `~/.aws` and the like of the worker's user stay out. */
  readonly home: string;
  readonly workspace: string;
  /** The root's own variables. */
  readonly rootEnv?: Readonly<Record<string, string>>;
}

export type Environment = Readonly<Record<string, string>>;

/** Any program needs these to find other programs, to choose its language, and to reach the network. None is a secret. */
const BASIC_NAMES = [
  'PATH',
  'TMPDIR',
  'TZ',
  'LANG',
  'LC_*',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
] as const;

/** Nobody is there to answer questions or read advice, and the vendor is told nothing. The root cannot change these. */
const FIXED = { TF_IN_AUTOMATION: '1', TF_INPUT: '0', CHECKPOINT_DISABLE: '1' } as const;

/**
 * Parallel inits corrupt a plugin cache: Terraform does not lock it, and writes over binaries that another root runs. So the
 * cache of the worker's user is never shared: each init gets its own folder, filled by the `ProviderCache`. A read-only
 * mirror, named in `TF_CLI_CONFIG_FILE`, is safe.
 */
const NEVER_SHARED = 'TF_PLUGIN_CACHE_DIR';

export function terraformEnvironment(options: EnvironmentOptions): Environment {
  const { from, allow, home, workspace, rootEnv } = options;
  return {
    ...allowedVariables(from, allow),
    ...rootEnv,
    HOME: home,
    ...FIXED,
    // The default workspace needs no name, and `cloud` blocks refuse its name.
    ...(workspace === 'default' ? {} : { TF_WORKSPACE: workspace }),
  };
}

/** Those of the worker that come through. */
export function allowedVariables(from: EnvironmentOptions['from'], allow: EnvironmentOptions['allow']): Environment {
  const globs = [...BASIC_NAMES, ...allow];
  const matches = (name: string) =>
    name !== NEVER_SHARED &&
    globs.some((glob) => (glob.endsWith('*') ? name.startsWith(glob.slice(0, -1)) : name === glob));
  return Object.fromEntries(
    Object.entries(from).filter((entry): entry is [string, string] => entry[1] !== undefined && matches(entry[0])),
  );
}
