/**
 * Tokens with which git reads what a deployment needs. A process with the App's key makes them; a host without it asks control
 * for them.
 */
import type { HostJob, Repository } from '@nereid/contracts';
import type { GitHub } from '@nereid/github';

export interface ReadTokens {
  /**
   * A token that can read the repository of the job and nothing else. It is good for some minutes more at least. A secret.
   */
  tokenFor(job: HostJob, signal?: AbortSignal): Promise<string>;
}

export interface ReadToken {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export type MintReadToken = (repository: Repository) => Promise<ReadToken>;

export function createMint({ github }: { readonly github: Pick<GitHub, 'installationToken'> }): MintReadToken {
  return (repository) => github.installationToken(repository, { contents: 'read' });
}

/** For a process with the App's key. */
export function mintedTokens(mint: MintReadToken): ReadTokens {
  return { tokenFor: async ({ repository }) => (await mint(repository)).value };
}
