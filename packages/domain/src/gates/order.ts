/** The deployments of other lanes go first, on which this one depends. */
import { PASSES, type Gate } from './gate.ts';

/** `failed`: one of them ended without taking effect. */
export type OrderFacts =
  { readonly kind: 'ready' } | { readonly kind: 'waiting' | 'failed'; readonly sentence: string };

export const gateOfOrder = {
  doors: ['plan', 'apply'],
  waitAtApply: 'is asked again',
  decide(facts) {
    switch (facts.kind) {
      case 'ready':
        return PASSES;
      case 'waiting':
        return { kind: 'waits', sentence: facts.sentence, who: ['other lanes'] };
      case 'failed':
        return { kind: 'refuses', status: 'refused', sentence: facts.sentence };
    }
  },
} as const satisfies Gate<OrderFacts>;
