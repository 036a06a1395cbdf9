import { EVENT_KINDS, type IntakeEvent, type IntakeResult } from '@nereid/domain/intake';
import { Counter, Histogram, type Registry } from 'prom-client';

/** One attempt to take an event. */
export interface Taken {
  readonly event: IntakeEvent['kind'];
  /** `failed`: it threw, and is tried again unless another attempt cannot help. */
  readonly outcome: IntakeResult['kind'] | 'failed';
  /** When the gateway or the console took it, ISO 8601. It comes through Temporal. */
  readonly receivedAt: string;
}

/** Two seconds are usual. The first mirror of a large repository takes minutes, and intake gives up after an hour. */
const SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

const OUTCOMES: Readonly<Record<Taken['outcome'], true>> = {
  signalled: true,
  refused: true,
  nothing: true,
  failed: true,
};

/** Returns a function that counts each attempt to take an event. */
export function measureIntake(registry: Registry): (taken: Taken) => void {
  const intakes = new Counter({
    name: 'nereid_intakes_total',
    help: 'Attempts to take an event, by kind of event and outcome.',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  });
  // Prometheus sees no increase in a series that begins with it.
  for (const event of Object.keys(EVENT_KINDS))
    for (const outcome of Object.keys(OUTCOMES)) intakes.inc({ event, outcome }, 0);
  const seconds = new Histogram({
    name: 'nereid_intake_to_signal_seconds',
    help: 'From the arrival of an event to the signals to its lanes, by kind of event.',
    labelNames: ['event'],
    buckets: SECONDS,
    registers: [registry],
  });
  return ({ event, outcome, receivedAt }) => {
    intakes.inc({ event, outcome });
    const ms = Date.now() - Date.parse(receivedAt);
    // The gateway has another clock.
    if (outcome === 'signalled' && Number.isFinite(ms)) seconds.observe({ event }, Math.max(0, ms) / 1_000);
  };
}
