import type { Engine } from '../engine.ts';
import { until } from './until.ts';

/** Waits until the HEALTHCHECK of a container is content. Throws with the end of its log. */
export async function isHealthy(engine: Engine, name: string): Promise<void> {
  await until(`${name} to be healthy`, async () => {
    const state = await engine.docker(['inspect', '--format', '{{.State.Status}} {{.State.Health.Status}}', name]);
    if (state === 'running healthy\n') return;
    throw new Error(`found ${state.trim()}:\n${await engine.docker(['logs', '--tail', '20', name])}`);
  });
}
