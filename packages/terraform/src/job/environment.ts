/** What Terraform and steps see of the worker's environment: what is allowed, and nothing else. */

export interface EnvironmentOptions {
  /** The worker's own environment. */
  readonly from: Readonly<Record<string, string | undefined>>;
  /** Names, or beginnings of names that end in `*`, to let through beside the basic ones. */
  readonly allow: readonly string[];
  /** A private folder, so that `~/.terraformrc`, `~/.aws` and the like of the worker's user stay out. */
  readonly home: string;
  readonly workspace: string;
  /** The root's own variables. */
  readonly rootEnv?: Readonly<Record<string, string>>;
  /** What lets git fetch private modules, such as `GIT_CONFIG_COUNT`. */
  readonly gitCredentials?: Readonly<Record<string, string>>;
}

export type Environment = Readonly<Record<string, string>>;

/** What any program needs to find others, to speak, and to reach the network as its machine does. No secret is among them. */
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

/** Nobody is there to answer or to read advice, and nothing is told to the vendor. The root cannot change that. */
const FIXED = { TF_IN_AUTOMATION: '1', TF_INPUT: '0', CHECKPOINT_DISABLE: '1' } as const;

/**
 * Parallel inits corrupt a plugin cache: Terraform takes no lock on it, and writes over binaries that another root runs.
 * So a cache of the worker's user is never shared: each init gets a folder of its own, filled by the `ProviderCache`. A
 * read-only mirror, named in `TF_CLI_CONFIG_FILE`, is safe.
 */
const NEVER_SHARED = 'TF_PLUGIN_CACHE_DIR';

export function terraformEnvironment(options: EnvironmentOptions): Environment {
  const { from, allow, home, workspace, rootEnv, gitCredentials } = options;
  return {
    ...allowed(from, [...BASIC_NAMES, ...allow]),
    ...rootEnv,
    ...gitCredentials,
    HOME: home,
    ...FIXED,
    // Terraform's own default needs no name, and `cloud` blocks refuse one.
    ...(workspace === 'default' ? {} : { TF_WORKSPACE: workspace }),
  };
}

function allowed(from: EnvironmentOptions['from'], globs: readonly string[]): Environment {
  const matches = (name: string) =>
    name !== NEVER_SHARED &&
    globs.some((glob) => (glob.endsWith('*') ? name.startsWith(glob.slice(0, -1)) : name === glob));
  return Object.fromEntries(
    Object.entries(from).filter((entry): entry is [string, string] => entry[1] !== undefined && matches(entry[0])),
  );
}
