/**
 * Tokens with which git reads what a deployment needs. A process with the App's key makes them; a host without it asks control
 * for them.
 */
import { matchesGlob, policyFor, type ServerConfig } from '@nereid/config';
import { fullName, type Repository } from '@nereid/domain/root';
import type { Forge, GitToken } from '@nereid/forge';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { OpenedJob } from './opened-job.ts';

export interface ReadTokens {
  /**
   * A token that can read the repository of the job and those from which it may take modules, and nothing else. It is good for
   * some minutes more at least. A secret.
   */
  tokenFor(job: OpenedJob, signal?: AbortSignal): Promise<string>;
}

export type MintReadToken = (repository: Repository) => Promise<GitToken>;

export interface MintOptions {
  readonly forge: Pick<Forge, 'readToken' | 'repositories'>;
  readonly server: { current(): ServerConfig };
  readonly logger: Pick<Logger, 'warn'>;
}

/** A new repository can be named by a glob, and is read some minutes later. */
const LISTED_FOR_MS = 5 * 60_000;

const INSTALLATIONS_LIMIT = 100;

/** GitHub makes no token for more. */
const NAMES_LIMIT = 500;

/** Tokens read the repository, and those from which the server's file lets it take modules. */
export function createMint({ forge, server, logger }: MintOptions): MintReadToken {
  const listed = new LRUCache<number, Promise<readonly Repository[]>>({ max: INSTALLATIONS_LIMIT, ttl: LISTED_FOR_MS });
  const listOf = async (repository: Repository) => {
    const id = repository.installationId;
    const list = listed.get(id) ?? forge.repositories.allBeside(repository);
    if (!listed.has(id)) listed.set(id, list);
    try {
      return await list;
    } catch (error) {
      listed.delete(id);
      throw error;
    }
  };
  return async (repository) => {
    const patterns = policyFor(server.current(), fullName(repository))?.modulesFrom ?? [];
    // If nothing is listed, the forge is spared the question.
    const all = patterns.length === 0 ? [] : await listOf(repository);
    const isReadable = (other: Repository) => patterns.some((pattern) => matchesGlob(pattern, fullName(other)));
    const names = all.filter(isReadable).map(({ name }) => name);
    const taken = names.slice(0, NAMES_LIMIT - 1);
    if (taken.length < names.length)
      logger.warn(
        { repository: fullName(repository), named: names.length, taken: taken.length },
        'modules_from names more repositories than a token can read: expected narrower patterns',
      );
    return forge.readToken(repository, taken);
  };
}

/** For a process with the App's key. */
export function mintedTokens(mint: MintReadToken): ReadTokens {
  return { tokenFor: async ({ repository }) => (await mint(repository)).value };
}
