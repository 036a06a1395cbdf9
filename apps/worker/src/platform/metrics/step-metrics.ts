import { Histogram, type Registry } from 'prom-client';

/** A checkout takes a second, a plan up to some minutes, an apply hours. */
const SECONDS = [0.5, 1, 2.5, 5, 15, 60, 300, 900, 3_600, 14_400];

/** Names of policies come from the server's file, and tell little about time. */
const POLICY = /^the policy .*/;

/** Returns a function that keeps how long each step of this host's jobs took. The steps of repositories are `run` and `env`. */
export function measureSteps(registry: Registry): (step: string, durationMs: number) => void {
  const seconds = new Histogram({
    name: 'nereid_host_step_seconds',
    help: 'How long the steps of jobs took on this host, by step.',
    labelNames: ['step'],
    buckets: SECONDS,
    registers: [registry],
  });
  return (step, durationMs) => {
    seconds.observe({ step: step.replace(POLICY, 'policy') }, durationMs / 1_000);
  };
}
