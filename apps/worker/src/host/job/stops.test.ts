import { expect, test } from '@jest/globals';
import { stopCauseOf } from '@nereid/subprocess';
import { createStops } from './stops.ts';

const causeOf = (signal: AbortSignal) => (signal.aborted ? stopCauseOf(signal) : undefined);

test('all that a deployment does here is stopped as cancelled, and nothing of another one', async () => {
  const stops = createStops();

  const causes = await stops.run('d1', (plan) =>
    stops.run('d1', (inspection) =>
      stops.run('d2', async (other) => {
        stops.stop('d1');
        return [plan, inspection, other].map(causeOf);
      }),
    ),
  );

  expect(causes).toEqual(['cancelled', 'cancelled', undefined]);
});

test('what begins after a stop goes on: the stop was for the work before', async () => {
  const stops = createStops();
  stops.stop('d1');
  await expect(stops.run('d1', async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  stops.stop('d1');

  expect(await stops.run('d1', async (signal) => causeOf(signal))).toBeUndefined();
});
