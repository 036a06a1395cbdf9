/** Reads the secrets that the server's file gives to a root from files of this host. Nothing of a value is in an error. */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import { join, sep } from 'node:path';
import { hasErrorCode } from '@nereid/subprocess';

/** By variable. */
export type RootSecrets = Readonly<Record<string, string>>;

/** A file of `env_from` is not as it has to be. The operators of the host fix it. */
export class RootSecretError extends Error {
  override readonly name = 'RootSecretError';
  readonly code = 'ROOT_SECRET';

  constructor(variable: string, file: string, found: string, options?: ErrorOptions) {
    super(
      `expected the secret ${variable} in the file ${JSON.stringify(file)} of terraform.secrets_folder, found ${found}; ` +
        'put it there on every host that runs this root, or correct env_from',
      options,
    );
  }
}

/** Room for a chain of certificates with its key. The system allows 128 KiB for a variable. */
const LIMIT_BYTES = 32 * 1024;

export async function readRootSecrets(
  folder: string | undefined,
  files: Readonly<Record<string, string>>,
): Promise<RootSecrets> {
  const read = Object.entries(files).map(async ([variable, file]) => [
    variable,
    await readSecret(folder, { variable, file }),
  ]);
  return Object.fromEntries(await Promise.all(read)) as RootSecrets; // Pairs of texts.
}

interface SecretFile {
  readonly variable: string;
  readonly file: string;
}

async function readSecret(folder: string | undefined, { variable, file }: SecretFile): Promise<string> {
  const bytes = folder === undefined ? 'no such folder' : await contentOf(folder, file).catch(whyUnreadable);
  const found = typeof bytes === 'string' ? bytes : whyNoValue(bytes);
  if (typeof bytes === 'string' || found !== undefined) throw new RootSecretError(variable, file, found ?? 'nothing');
  return withoutLastLineBreak(bytes);
}

/** The bytes, one more than allowed at most; or what was found in their place. */
async function contentOf(folder: string, file: string): Promise<Buffer | string> {
  const [top, path] = await Promise.all([realpath(folder), realpath(join(folder, file))]);
  // Kubernetes makes links within the folder, and replaces them all at once.
  if (!path.startsWith(top + sep)) return 'a link that leads out of the folder';
  // A pipe would keep the worker waiting.
  await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (!(await handle.stat()).isFile()) return 'something other than a file';
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LIMIT_BYTES + 1), 0, LIMIT_BYTES + 1, 0);
  return buffer.subarray(0, bytesRead);
}

function whyUnreadable(error: unknown): string {
  if (hasErrorCode(error, 'ENOENT')) return 'no such file';
  if (hasErrorCode(error, 'EACCES')) return 'one that the user of the worker may not read';
  if (['ELOOP', 'ENOTDIR'].some((code) => hasErrorCode(error, code))) return 'a link that leads nowhere';
  throw error;
}

function whyNoValue(bytes: Buffer): string | undefined {
  if (bytes.length > LIMIT_BYTES) return `more than ${LIMIT_BYTES} bytes`;
  if (!isUtf8(bytes)) return 'bytes that are no text in UTF-8';
  if (bytes.includes(0)) return 'a text with a NUL';
  return withoutLastLineBreak(bytes) === '' ? 'an empty file' : undefined;
}

/** Editors end a file with a line break, which is not part of the secret. */
function withoutLastLineBreak(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/\r?\n$/, '');
}
