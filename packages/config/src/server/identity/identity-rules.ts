/** Rules for what the server's file gives to roots. */
import { NAME_RULE } from '../glob.ts';
import { quote, type Path } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import type { RepositoryEntry, RootSettings } from '../repository-entry.ts';

export interface IdentitySubject {
  /** Each with its place in the file's list. */
  readonly repositories: readonly { readonly index: number; readonly entry: RepositoryEntry }[];
}

/** Each decides where a job works, what it is asked, or what is kept of it. */
const OURS: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'CHECKPOINT_DISABLE',
  'TF_IN_AUTOMATION',
  'TF_INPUT',
  'TF_WORKSPACE',
  'TF_DATA_DIR',
  'TF_PLUGIN_CACHE_DIR',
  'TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE',
  'TF_REATTACH_PROVIDERS',
  // What steps get.
  'BASE_REPO_OWNER',
  'BASE_REPO_NAME',
  'HEAD_COMMIT',
  'DIR',
  'PROJECT_NAME',
  'REPO_REL_DIR',
  'WORKSPACE',
  'PLANFILE',
  'TERRAFORM',
]);

/** Arguments of Terraform are those of the steps, and git has the credentials of an init. */
const OUR_PREFIXES = ['NEREID_', 'TF_CLI_ARGS', 'GIT_'];

/** The place of a token or of what is made of it. */
const OF_IDENTITY: ReadonlySet<string> = new Set([
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'ARM_USE_OIDC',
  'ARM_OIDC_TOKEN',
  'ARM_OIDC_TOKEN_FILE_PATH',
  'GOOGLE_APPLICATION_CREDENTIALS',
]);

export function variablesAreForRoots(subject: IdentitySubject, report: Report): void {
  for (const { path, name } of variablesIn(subject)) {
    const isOurs = OURS.has(name) || OUR_PREFIXES.some((prefix) => name.startsWith(prefix));
    if (isOurs)
      report.error(
        path,
        `expected a variable that is left to roots, found ${quote(name)}, which belongs to Nereid or Terraform; remove it`,
      );
    if (OF_IDENTITY.has(name))
      report.error(
        path,
        `expected a variable that an identity does not set, found ${quote(name)}; remove it, and give the root an identity, or let the worker's own through by env_allow`,
      );
  }
}

const LIKE_A_SECRET = /(?:secret|password|passwd|passphrase|token|access_key|api_key|private_key|credentials)$/i;

/** Everybody who operates Nereid reads this file, and logs may show its values. */
export function variablesAreNoSecrets(subject: IdentitySubject, report: Report): void {
  for (const { path, name, isSecret } of variablesIn(subject)) {
    if (isSecret || !LIKE_A_SECRET.test(name)) continue;
    report.warn(
      path,
      `expected a value that is no secret, found one for ${quote(name)}; keep it in a file of the hosts, and name that in env_from`,
    );
  }
}

/** A repository's own file gives its roots their names. */
export function identitiesGoByDirectory({ repositories }: IdentitySubject, report: Report): void {
  for (const { index, entry } of repositories) {
    for (const { match, settings } of entry.roots) {
      if (settings.identity === undefined || !match.startsWith(NAME_RULE)) continue;
      report.error(
        ['repositories', index, 'roots', match, 'identity'],
        `expected a rule for a directory, found one for the name ${quote(match)}: a repository names its roots itself, so it could take this identity; match the directory`,
      );
    }
  }
}

interface Variable {
  readonly path: Path;
  readonly name: string;
  /** From a file of the host. */
  readonly isSecret: boolean;
}

function variablesIn({ repositories }: IdentitySubject): readonly Variable[] {
  return repositories.flatMap(({ index, entry }) => [
    ...variablesOf(['repositories', index], entry.settings),
    ...entry.roots.flatMap(({ match, settings }) => variablesOf(['repositories', index, 'roots', match], settings)),
  ]);
}

function variablesOf(path: Path, { environment, envFrom }: RootSettings): readonly Variable[] {
  const inTheClear = Object.entries(environment ?? {}).flatMap(([phase, variables]) =>
    Object.keys(variables).map((name) => ({ path: [...path, 'environment', phase, name], name, isSecret: false })),
  );
  const secret = new Set(Object.values(envFrom ?? {}).flatMap((files) => Object.keys(files)));
  return [...inTheClear, ...[...secret].map((name) => ({ path: [...path, 'env_from'], name, isSecret: true }))];
}
