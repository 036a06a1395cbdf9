import { begunApply, type BegunApply } from '@nereid/domain/deployment/record';
import type { EndedApply } from '@nereid/domain/deployment';
import { withWords } from '@nereid/domain/host';
import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { begunKey } from './record-keys.ts';

export type Beginning =
  | { readonly kind: 'begun' }
  /** There is a marker already. It may be the same job's, if the response to an earlier write was lost. */
  | { readonly kind: 'found'; readonly marker: BegunApply };

/**
 * One marker for each deployment that was applied, written before Terraform is asked to apply: `begun/<pool>/<deployment id>`. Hosts
 * write those of their own pool alone: so may their credentials.
 */
export interface BegunAppliesOfPools {
  of(pool: string): BegunApplies;
}

/** Those of one pool. */
export interface BegunApplies {
  /** Writes the marker unless there is one, so that only one of several hosts begins. */
  begin(deploymentId: string, by: Pick<BegunApply, 'hostId' | 'jobId'>): Promise<Beginning>;
  /** Makes sure that no apply of this deployment begins, because another one has its turn, or a person ended it. */
  overtake(deploymentId: string, by: string): Promise<Beginning>;
  /** Adds the outcome of the apply, with long texts shortened. Without a marker nothing happens. */
  complete(deploymentId: string, outcome: EndedApply): Promise<void>;
  /** For callers that know that nothing began. A missing marker is not a failure. */
  remove(deploymentId: string): Promise<void>;
  read(deploymentId: string): Promise<BegunApply | undefined>;
}

/** Host and job of a marker that stands for no apply. */
const NOBODY = 'none';

/** A sweep reads it, too. */
export const begunFormat = recordFormat<BegunApply>(begunApply, 1);

export function createBegunApplies(store: ObjectStore): BegunAppliesOfPools {
  return { of: (pool) => begunAppliesOf(store, (deploymentId) => begunKey(pool, deploymentId)) };
}

function begunAppliesOf(store: ObjectStore, keyOf: (deploymentId: string) => string): BegunApplies {
  const read = async (deploymentId: string) => {
    const key = keyOf(deploymentId);
    const found = await store.get(key);
    return found && begunFormat.decode(key, found.body);
  };

  async function begin(deploymentId: string, by: Omit<BegunApply, 'version' | 'at'>): Promise<Beginning> {
    const marker: BegunApply = { version: 1, ...by, at: new Date().toISOString() };
    const key = keyOf(deploymentId);
    try {
      await store.put(key, begunFormat.encode(key, marker), { ifVersion: ABSENT });
      return { kind: 'begun' };
    } catch (error) {
      if (!(error instanceof VersionConflictError)) throw error;
      const found = await read(deploymentId);
      if (found === undefined) throw error;
      return { kind: 'found', marker: found };
    }
  }

  return {
    read,

    begin: (deploymentId, { hostId, jobId }) => begin(deploymentId, { hostId, jobId }),

    overtake: (deploymentId, overtakenBy) => begin(deploymentId, { hostId: NOBODY, jobId: NOBODY, overtakenBy }),

    async complete(deploymentId, outcome) {
      const marker = await read(deploymentId);
      if (marker === undefined) return;
      const ended = { ...marker, outcome: shortened(outcome), endedAt: new Date().toISOString() };
      const key = keyOf(deploymentId);
      await store.put(key, begunFormat.encode(key, ended));
    },

    remove: (deploymentId) => store.delete(keyOf(deploymentId)),
  };
}

/** The limits that `Failure` promises. */
const LINE_LIMIT = 60;
const LINE_LENGTH_LIMIT = 500;

/** Room for a sentence that names hosts and jobs; nobody reads more in a check run. */
const WHY_LENGTH_LIMIT = 1_000;

function shortened(outcome: EndedApply): EndedApply {
  switch (outcome.kind) {
    case 'applied':
      return outcome;
    case 'failed': {
      const { summary, lines: all } = outcome.failure.body;
      const lines = all.slice(-LINE_LIMIT).map((line) => line.slice(0, LINE_LENGTH_LIMIT));
      const words = { summary: summary.slice(0, LINE_LENGTH_LIMIT), lines };
      return { ...outcome, failure: withWords(outcome.failure, words) };
    }
    case 'unknown':
      return { kind: 'unknown', why: outcome.why.slice(0, WHY_LENGTH_LIMIT) };
  }
}
