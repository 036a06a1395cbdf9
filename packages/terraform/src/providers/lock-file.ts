/**
 * The providers that a root's lock file names. Only the exact form that Terraform and OpenTofu write is read.
 *
 * The file comes from a repository, so it is hostile: its parts become names of folders. And we must read the same as
 * Terraform, or Terraform would write its own download over a package that we placed. So a file with anything that Terraform
 * does not write itself, except comments, counts as empty: then every provider is downloaded.
 */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** In the root's directory. Terraform makes it where the revision has none. */
export const LOCK_FILE = '.terraform.lock.hcl';

/** Enough for four hundred providers with some thirty hashes of 80 bytes each. */
const FILE_LIMIT_BYTES = 1024 * 1024;

export interface LockedProvider {
  /** `<host>/<namespace>/<type>/<version>`, a relative path below any folder. */
  readonly path: string;
  /** The hashes of its packages, one for each locked platform: the SHA-256 of `h1:`, 64 hex digits. */
  readonly hashes: readonly string[];
}

/** Empty when there is no readable lock file. */
export async function readLockFile(rootDir: string): Promise<readonly LockedProvider[]> {
  const file = path.join(rootDir, LOCK_FILE);
  try {
    const found = await stat(file);
    // A link may lead to a device or a pipe, which has no end.
    if (!found.isFile() || found.size > FILE_LIMIT_BYTES) return [];
    return parseLockFile(await readFile(file, 'utf8'));
  } catch {
    // There is none, or Terraform, which reads it next, tells the author what is wrong with it.
    return [];
  }
}

const LABEL = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const HOST = `${LABEL}(?:\\.${LABEL})*(?::[0-9]{1,5})?`;
const NAME = '[a-z0-9]+(?:[_-]+[a-z0-9]+)*';
const NUMBER = '(?:0|[1-9][0-9]{0,8})';
const SUFFIX = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const VERSION = `${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${SUFFIX})?(?:\\+${SUFFIX})?`;

/** A string without escapes, which can be read in only one way. */
const PLAIN = '[^"\\\\$%\\n]*';

const ENTRY = new RegExp(
  `provider "(?<source>${HOST}/${NAME}/${NAME})" {\\n` +
    ` *version *= "(?<version>${VERSION})"\\n` +
    `(?: *constraints *= "${PLAIN}"\\n)?` +
    ` *hashes *= \\[\\n(?<hashes>(?: *"${PLAIN}",\\n)*) *\\]\\n}\\n`,
  'y',
);

/** Empty when anything is not as Terraform writes it. */
export function parseLockFile(text: string): readonly LockedProvider[] {
  const code = text.replace(/^(?:#.*)?\n/gm, '');
  const locked = new Map<string, LockedProvider>();
  ENTRY.lastIndex = 0;
  while (ENTRY.lastIndex < code.length) {
    const { source = '', version = '', hashes = '' } = ENTRY.exec(code)?.groups ?? {};
    if (source === '' || locked.has(source)) return [];
    locked.set(source, { path: `${source}/${version}`, hashes: hashesIn(hashes) });
  }
  return [...locked.values()];
}

function hashesIn(lines: string): readonly string[] {
  return [...lines.matchAll(/"h1:(?<digest>[^"]*)"/g)].flatMap(({ groups }) => {
    const digest = groups?.['digest'] ?? '';
    const bytes = Buffer.from(digest, 'base64');
    // Terraform compares the text, so another spelling of the same bytes is another hash.
    return bytes.length === 32 && bytes.toString('base64') === digest ? [bytes.toString('hex')] : [];
  });
}
