import type { ConsolePolicy } from '@nereid/config';
import type { LoginProof, TokenScope } from '@nereid/contracts';
import { personOfApiToken } from './api-tokens.ts';
import { createGitHubUsers } from './github-user.ts';
import { createJwtProofs } from './jwt-proofs.ts';

/** A person on GitHub, or a script that acts for one. */
export interface Identity {
  /** GitHub login. */
  readonly login: string;
  /** GitHub's id of the same person, where GitHub said who it is. */
  readonly id?: number;
  /** The token of a script; absent for a person, who may do what GitHub and the rules say. */
  readonly token?: {
    readonly name: string;
    readonly scopes: readonly TokenScope[];
    readonly repositories: readonly string[];
  };
}

export type Identified =
  | { readonly kind: 'person'; readonly person: Identity }
  /** A sentence for the person: it expired, or is of another installation. */
  | { readonly kind: 'nobody'; readonly why: string };

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

const NO_NAME = "nobody acts here: set console.login to { local: { as: <GitHub login> } } in the server's file";
const NOT_THIS = 'this is the proof of another login';

/** What the provider calls a person is their login on GitHub, unless the server's file says otherwise. */
function named({ people }: ConsolePolicy, claimed: Claimed): Identified {
  if (claimed.kind === 'nobody') return claimed;
  const login = people.get(claimed.name) ?? claimed.name;
  if (!LOGIN.test(login)) {
    return nobody(`${claimed.name.slice(0, 100)} is no GitHub login: add it under console.people in the server's file`);
  }
  return { kind: 'person', person: { login } };
}

/** As GitHub makes them. An address is none. */
const LOGIN = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/;

export type Claimed =
  { readonly kind: 'claimed'; readonly name: string } | { readonly kind: 'nobody'; readonly why: string };

function nobody(why: string): { readonly kind: 'nobody'; readonly why: string } {
  return { kind: 'nobody', why };
}
