import type { GoogleAuth } from 'google-auth-library';
import { errorCode } from '../../error-code.ts';
import { GsCredentialsError } from './gs-failure.ts';

/** Reading, writing and removing objects; no settings of buckets. */
const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';

export interface GsCredentials {
  /** The headers with which a request is authorised. Throws `GsCredentialsError`. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Google knows the token no more: the next call asks for another. */
  forget(): void;
}

/** Application Default Credentials, for objects unless another scope is given: of the file that the environment names, the workload's identity, or the machine. */
export function createGsCredentials(scope = SCOPE): GsCredentials {
  let auth: GoogleAuth | undefined;
  return {
    async headers() {
      try {
        return Object.fromEntries(await (auth ??= await open(scope)).getRequestHeaders());
      } catch (error) {
        // A library that failed once to find credentials would not look again.
        auth = undefined;
        throw withoutSecrets(error);
      }
    },
    forget() {
      auth = undefined;
    },
  };
}

async function open(scope: string): Promise<GoogleAuth> {
  // Imported on demand: most processes speak to no service of Google.
  const library = await import('google-auth-library');
  // Without a project, which no request here names, the library would ask another of Google's services for it.
  return new library.GoogleAuth({ scopes: [scope], projectId: 'not-needed' });
}

const MESSAGE_LIMIT = 500;

/** The library's errors carry the request, and with it assertions and tokens. */
function withoutSecrets(error: unknown): GsCredentialsError {
  const message = error instanceof Error ? error.message.slice(0, MESSAGE_LIMIT) : 'no reason was given';
  return new GsCredentialsError(codeOf(error), message);
}

/** Errors of the network keep their code, unless there is no such server: nobody gives credentials here. */
function codeOf(error: unknown): string {
  const status = statusOf(error);
  if (status >= 500 || status === 429) return 'backendError';
  if (status >= 400) return 'CredentialsRejected';
  const code = errorCode(error);
  return /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code) && !['ENOENT', 'ENOTFOUND'].includes(code)
    ? code
    : 'CredentialsMissing';
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : 0;
}
