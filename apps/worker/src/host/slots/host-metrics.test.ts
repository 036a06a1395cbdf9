import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { createSlots } from './slots.ts';
import { measureHost } from './host-metrics.ts';

test('a host says how many slots it has, how many are used, and that it drains, as of the moment it is asked', async () => {
  const registry = new Registry();
  const slots = createSlots(() => 4, { previews: () => 2 });
  measureHost(registry, slots, 'none');

  slots.claim('d1');
  slots.drain();

  const metrics = await registry.metrics();
  expect(metrics.split('\n').filter((line) => line.startsWith('nereid_host'))).toEqual([
    'nereid_host_sandbox{kind="none"} 1',
    'nereid_host_slots 4',
    'nereid_host_slots_used 1',
    'nereid_host_preview_slots 2',
    'nereid_host_preview_slots_used 0',
    'nereid_host_draining 1',
  ]);
});
