import { z } from 'zod';
import { partsOf, type Stored } from '../stored.ts';
import type { Repository } from './repository.ts';

const text = z.string().min(1);

export const repositoryParts = partsOf<Repository>()(z.object({ owner: text, name: text, installationId: z.number() }));

/** The facts about a repository as a whole. */
export const repositoryRecord = z.object({
  version: z.literal(1),
  repository: repositoryParts,
  /** The branch that is deployed. */
  branch: text,
  /** Commits after this one are deployed with the next push, because their modified roots could not be read. */
  undeployedSince: text.exactOptional(),
  /** All commits up to this one have reached their lanes, even if webhooks were lost. */
  reconciledTo: text.exactOptional(),
});
export type RepositoryRecord = Stored<typeof repositoryRecord>;

/** The names under which a place was deployed. */
export const rootPlaceRecord = z.object({
  version: z.literal(1),
  repository: z.object({ owner: text, name: text }),
  dir: text,
  workspace: text,
  /** Newest last. */
  names: z.array(text),
});
export type RootPlaceRecord = Stored<typeof rootPlaceRecord>;
