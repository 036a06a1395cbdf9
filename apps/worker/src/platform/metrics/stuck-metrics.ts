import { Gauge, type Registry } from 'prom-client';

/** Another worker may make the next check, so these counts expire after a few rounds of a minute. */
const TRUE_FOR_MS = 3 * 60_000;

/** Returns a function that records the number of stuck workflows, by type, after each check. */
export function measureStuck(registry: Registry): (counts: Readonly<Record<string, number>>) => void {
  let found: { readonly counts: Readonly<Record<string, number>>; readonly at: number } | undefined;
  new Gauge({
    name: 'nereid_workflows_stuck',
    help: 'Open workflows whose task fails again and again, by type, from the worker that looked last.',
    labelNames: ['type'],
    registers: [registry],
    collect() {
      this.reset();
      if (found === undefined || Date.now() - found.at > TRUE_FOR_MS) return;
      for (const [type, count] of Object.entries(found.counts)) this.set({ type }, count);
    },
  });
  return (counts) => {
    found = { counts, at: Date.now() };
  };
}
