/** Rules for the secrets that the server's file gives to roots. */
import { NAME_RULE } from '../glob.ts';
import { quote, type Path } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import type { TerraformConfig } from '../terraform/terraform-config.ts';
import type { IdentitySubject } from './identity-rules.ts';

export interface SecretSubject extends IdentitySubject {
  /** Also where its value is wrong. */
  readonly namesSecretsFolder: boolean;
  readonly terraform: Pick<TerraformConfig, 'sandbox' | 'sandboxRead' | 'sandboxWrite' | 'secretsFolder'>;
}

/** A repository's own file gives its roots their names. */
export function secretsGoByDirectory(subject: IdentitySubject, report: Report): void {
  for (const { path, match } of placesOf(subject)) {
    if (match?.startsWith(NAME_RULE) !== true) continue;
    report.error(
      path,
      `expected a rule for a directory, found one for the name ${quote(match)}: a repository names its roots itself, so it could take these secrets; match the directory`,
    );
  }
}

export function secretsHaveAFolder(subject: SecretSubject, report: Report): void {
  if (subject.namesSecretsFolder) return;
  for (const { path } of placesOf(subject))
    report.error(path, 'expected terraform.secrets_folder to name the folder of these files, found nothing; add it');
}

/** All code of all repositories sees the paths of the sandbox. */
export function secretsFolderIsApart({ terraform }: SecretSubject, report: Report): void {
  const { secretsFolder: folder, sandboxRead, sandboxWrite } = terraform;
  if (folder === undefined) return;
  const holds = (one: string, other: string) => `${other}/`.startsWith(`${one.replace(/\/+$/, '')}/`);
  const shown = [...sandboxRead, ...sandboxWrite].find((path) => holds(path, folder) || holds(folder, path));
  if (shown === undefined) return;
  report.error(
    ['terraform', 'secrets_folder'],
    `expected a folder that no command sees, found ${quote(folder)} beside ${quote(shown)} of sandbox_read and sandbox_write; keep the secrets elsewhere`,
  );
}

export function secretsNeedASandbox(subject: SecretSubject, report: Report): void {
  if (subject.terraform.sandbox !== 'none') return;
  for (const { path } of placesOf(subject))
    report.warn(
      path,
      'expected the sandbox bubblewrap, found none: code of any root can read all files of terraform.secrets_folder',
    );
}

interface GivenSecrets {
  readonly path: Path;
  /** Absent for a whole repository. */
  readonly match?: string;
}

function placesOf({ repositories }: IdentitySubject): readonly GivenSecrets[] {
  return repositories.flatMap(({ index, entry }) => [
    ...(entry.settings.envFrom ? [{ path: ['repositories', index, 'env_from'] }] : []),
    ...entry.roots.flatMap(({ match, settings }) =>
      settings.envFrom ? [{ path: ['repositories', index, 'roots', match, 'env_from'], match }] : [],
    ),
  ]);
}
