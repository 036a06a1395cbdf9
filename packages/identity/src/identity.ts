import type { TokenScope } from '@nereid/domain/actions';

/** A person on the forge, or a script that acts for one. */
export interface Identity {
  /** Login on the forge. */
  readonly login: string;
  /** The forge's id of the same person, where it said who it is. */
  readonly id?: number;
  /** The token of a script; absent for a person, who may do what the forge and the rules say. */
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

/** A login provider's name for a person, which need not be their login on the forge. */
export type Claimed =
  { readonly kind: 'claimed'; readonly name: string } | { readonly kind: 'nobody'; readonly why: string };
