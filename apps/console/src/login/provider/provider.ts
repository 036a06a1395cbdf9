/** The service that vouches for people: GitHub, or the company's OpenID provider. */
import type { LoginProof } from '@nereid/domain/intake';

export interface LoginProvider {
  /** For people, like `GitHub` or the host name of the provider. */
  readonly name: string;
  /** Where the person logs in. */
  loginUrl(attempt: LoginAttempt): Promise<URL>;
  /** Exchanges the code with which the person came back. `query` begins with `?`. */
  exchange(query: string, attempt: LoginAttempt): Promise<Exchanged>;
  /** Begins a login on a device without a browser. Throws a `ProviderUnavailableError`. */
  beginDevice(): Promise<DeviceBegun>;
  /** Asks once whether the person has agreed. `code` is that of `beginDevice`. Throws a `ProviderUnavailableError`. */
  finishDevice(code: string): Promise<DeviceAnswer>;
  /** Anew, with the refresh token. */
  refresh(tokens: LoginTokens): Promise<Exchanged>;
  /** Ends this login at the provider, or all logins of this person here. Throws a `ProviderUnavailableError`. */
  revoke(tokens: LoginTokens, scope: LogoutScope): Promise<void>;
  /** Where the person ends their login at the provider itself; undefined where there is no such page. */
  logoutUrl(tokens: LoginTokens): Promise<URL | undefined>;
  /** Whether `revoke` can end all logins of this person. */
  readonly endsEverywhere: boolean;
}

export type LogoutScope = 'here' | 'everywhere';

/** The data that is kept in the browser between leaving for the provider and coming back. */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

/** The content of a session. */
export interface LoginTokens {
  readonly proof: Extract<LoginProof, { readonly mode: 'github' | 'oidc' }>;
  readonly refreshToken?: string;
  /** When the proof counts no more, in milliseconds since 1970; absent: when it is revoked. */
  readonly expiresAt?: number;
}

/** Throws a `ProviderUnavailableError` when there is no answer. */
export type Exchanged =
  | { readonly kind: 'tokens'; readonly tokens: LoginTokens }
  /** The provider refused: a clause for the person. */
  | { readonly kind: 'refused'; readonly why: string };

export type DeviceBegun =
  | {
      readonly kind: 'begun';
      /** Of the device: whoever has it gets the tokens. */
      readonly code: string;
      /** For the person, who enters it at `verificationUri`. */
      readonly userCode: string;
      readonly verificationUri: string;
      /** The same page with the code filled in, where the provider has one. */
      readonly verificationUriComplete?: string;
      readonly expiresInS: number;
      /** Between two questions, at least. */
      readonly intervalS: number;
    }
  /** A clause for the person, and for the operators whom they ask. */
  | { readonly kind: 'refused'; readonly why: string };

export type DeviceAnswer =
  | Exchanged
  /** The person has not answered yet. `isTooOften`: the interval grows by `SLOWER_BY_S`. */
  | { readonly kind: 'pending'; readonly isTooOften: boolean };

/** By RFC 8628. */
export const SLOWER_BY_S = 5;

/** GitHub and providers answer within a second; a person waits. */
export const PROVIDER_TIMEOUT_S = 10;
