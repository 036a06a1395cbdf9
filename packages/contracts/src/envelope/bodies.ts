import type { LateOutcome } from '../deployment/late-outcome.ts';
import type { Claim } from '../host/claim.ts';
import type { Repository } from '../repository.ts';
import type { AboutField, EnvelopeKind, HolderOf } from './envelopes.ts';

/** What stands in each kind of envelope. */
interface Bodies {
  readonly 'claim/host': Claim;
  readonly 'result/late-outcome': LateOutcome;
}

export type BodyOf<Kind extends EnvelopeKind> = Bodies[Kind];

/**
 * What an envelope has to be about, as whoever opens it knows. A repository is its owner and its name. Of a host's word, the pool
 * whose hosts can say it as well.
 */
export type AboutOf<Kind extends EnvelopeKind> = {
  readonly [Field in AboutField<Kind>]: Field extends 'repository'
    ? Pick<Repository, 'owner' | 'name'>
    : BodyOf<Kind>[Field & keyof BodyOf<Kind>];
} & (HolderOf<Kind> extends 'pool' ? { readonly pool: string } : unknown);
