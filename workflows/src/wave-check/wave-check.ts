/** The wave-check workflow: has a host run a check of a wave. Control, which ordered it, reads the result and judges it. */
import type { WaveCheckEnd, WaveCheckOrder } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { onSomeHost } from '../on-some-host.ts';

const HOW = { job: 'check', claimSummary: 'a slot for a check', workSummary: 'prepare, check' } as const;

export async function waveCheck(order: Signed<WaveCheckOrder>): Promise<WaveCheckEnd> {
  return { order, outcome: await onSomeHost(order, HOW, (host) => host.checkOnHost(order)) };
}
