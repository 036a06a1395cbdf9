import type { ConsolePolicy } from '@nereid/config';
import type { LoginProof } from '@nereid/domain/intake';
import { LOGIN } from '@nereid/domain/person';
import { personOfApiToken } from './api-tokens.ts';
import { createGitHubUsers } from './github-user.ts';
import type { Claimed, Identified } from './identity.ts';
import { createJwtProofs } from './jwt-proofs.ts';

/**
 * Says whose the proof was at this time. Throws a `ProviderUnavailableError` when GitHub or the provider cannot be asked: that is
 * never a yes.
 */
export type Identify = (proof: LoginProof, at: Date) => Promise<Identified>;

export interface IdentifyOptions {
  /** Call `current()` each time: tokens are removed by reloading the file. */
  readonly server: { current(): { readonly console: ConsolePolicy } };
  /** GitHub's API, without a trailing slash. */
  readonly githubApiUrl: string;
  /** The App with which tokens of people have to be made. Absent at the console, whose own login makes them. */
  readonly appId?: number | undefined;
  /** For tests. */
  readonly keysAskedAgainAfterMs?: number;
  /** For tests, in milliseconds. */
  readonly clock?: { readonly now: () => number };
}

export function createIdentify(options: IdentifyOptions): Identify {
  const { server, githubApiUrl, keysAskedAgainAfterMs } = options;
  const githubUser = createGitHubUsers(githubApiUrl, options);
  const jwtProofs = createJwtProofs(keysAskedAgainAfterMs);
  return async (proof, at) => {
    const policy = server.current().console;
    const { login } = policy;
    if (proof.mode === 'token') return personOfApiToken(policy, proof.token, at);
    if (login?.mode !== proof.mode)
      return nobody(`people log in by ${login?.mode ?? 'no login'} here, not by ${proof.mode}`);
    switch (proof.mode) {
      case 'local':
        return login.mode === 'local' && login.as !== undefined
          ? { kind: 'person', person: { login: login.as } }
          : nobody(NO_NAME);
      case 'github':
        return githubUser(proof.token);
      case 'oidc':
        return login.mode === 'oidc'
          ? named(policy, await jwtProofs.idToken(login, proof.idToken, at))
          : nobody(NOT_THIS);
      case 'proxy':
        return login.mode === 'proxy'
          ? named(policy, await jwtProofs.assertion(login, proof.assertion, at))
          : nobody(NOT_THIS);
    }
  };
}

const NO_NAME = "nobody may act here: set console.login to { local: { as: <GitHub login> } } in the server's file";
const NOT_THIS = 'this is the proof of another login';

/** What the provider calls a person is their login on GitHub, unless the server's file says otherwise. */
function named({ people }: ConsolePolicy, claimed: Claimed): Identified {
  if (claimed.kind === 'nobody') return claimed;
  const login = people.get(claimed.name) ?? claimed.name;
  if (!LOGIN.test(login)) {
    return nobody(
      `${claimed.name.slice(0, 100)} is not a GitHub login: add it under console.people in the server's file`,
    );
  }
  return { kind: 'person', person: { login } };
}

function nobody(why: string): { readonly kind: 'nobody'; readonly why: string } {
  return { kind: 'nobody', why };
}
