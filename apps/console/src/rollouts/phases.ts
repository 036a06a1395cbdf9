/** What a deployment did when. Pure. */
import type { Phase } from '@nereid/api';
import { defined } from '@nereid/domain/defined';
import type { Progress } from '@nereid/domain/deployment';

export interface Timed {
  readonly receivedAt: string;
  readonly times: Progress['times'];
  readonly endedAt?: string;
}

/** In their order; the last one of a deployment that goes on has no end. */
export function phasesOf({ receivedAt, times, endedAt }: Timed): Phase[] {
  const begun = [
    { name: 'queued', from: receivedAt },
    { name: 'planning', from: times.preparing ?? times.planning },
    { name: 'review', from: times['awaiting-review'] },
    { name: 'applying', from: times.applying },
  ] as const;
  const known = begun.flatMap(({ name, from }) => (from === undefined ? [] : [{ name, from }]));
  return known.map((phase, index) => {
    const to = known[index + 1]?.from ?? endedAt;
    return { ...phase, ...defined({ to }) };
  });
}
