/** The files with the secrets of receivers: read for each request, so that a rotation needs no restart. */
import { readFile } from 'node:fs/promises';
import { reasonOf, SecretFileError } from './errors.ts';

/** As Standard Webhooks has them: 24 to 64 random bytes, in base64 behind a prefix that secret scanners know. */
const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

/** While one replaces another, both sign; more make each request longer for nothing. */
const SECRETS_LIMIT = 5;

/** The secrets that sign, one a line. Throws `SecretFileError`. */
export async function readWebhookSecrets(path: string): Promise<readonly string[]> {
  const lines = linesOf(await readSecretFile(path));
  const wrong = lines.findIndex((line) => !WEBHOOK_SECRET.test(line));
  if (lines.length > 0 && lines.length <= SECRETS_LIMIT && wrong === -1) return lines;
  const found = wrong === -1 ? `${lines.length} lines` : `another text in line ${wrong + 1}`;
  throw new SecretFileError(
    `expected 1 to ${SECRETS_LIMIT} lines in ${path}, each "whsec_" and the base64 of 24 to 64 random bytes, found ${found}; make one by: echo "whsec_$(openssl rand -base64 32)"`,
  );
}

/** The key or the token of a service, on the only line. Throws `SecretFileError`. */
export async function readKey(path: string): Promise<string> {
  const [key, ...others] = linesOf(await readSecretFile(path));
  if (key !== undefined && others.length === 0 && /^[\x21-\x7e]{1,512}$/.test(key)) return key;
  const found = key === undefined ? 'nothing' : others.length > 0 ? `${others.length + 1} lines` : 'another text';
  throw new SecretFileError(
    `expected one access key on one line of ${path}, found ${found}; copy one from the page of the service`,
  );
}

async function readSecretFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new SecretFileError(
      `expected secrets in the file ${path}, found that it cannot be read (${reasonOf(cause)}); give it to the user of this process, or correct secret_file in the server's file`,
      { cause },
    );
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
