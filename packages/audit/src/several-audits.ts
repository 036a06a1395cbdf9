/** Sends each event to several places. */
import { LRUCache } from 'lru-cache';
import type { TrailEvent } from '@nereid/domain/trail';
import type { Audit } from './audit.ts';
import { AuditUnavailableError, reasonOf } from './errors.ts';
import type { OpenedSink } from './open-audit.ts';

/** Far more than are retried at a time. One that is forgotten is sent again, and known by its id. */
const REMEMBERED = 10_000;

/**
 * All get the event at the same time, so a failing place holds up an event as long as it would alone. An event is recorded
 * once all have it; recording it again sends it only to those that lack it, as far as this process remembers. Throws the
 * error of the only one that failed, or an `AuditUnavailableError` with the reasons of several.
 */
export function severalAudits(sinks: readonly OpenedSink[]): Audit {
  const places = sinks.map((sink) => ({ ...sink, has: new LRUCache<string, true>({ max: REMEMBERED }) }));
  return {
    async record(event) {
      const lacking = places.filter(({ has }) => !has.has(event.id));
      const results = await Promise.allSettled(
        lacking.map(async ({ audit, has }) => {
          await audit.record(event);
          has.set(event.id, true);
        }),
      );
      const failures = results.flatMap((result, index) =>
        result.status === 'rejected' ? [{ name: lacking[index]?.name ?? '', error: result.reason as unknown }] : [],
      );
      throwFailures(event, failures, places.length);
    },
    close: () => {
      for (const { audit } of places) audit.close();
    },
  };
}

interface Failure {
  readonly name: string;
  readonly error: unknown;
}

function throwFailures({ id }: TrailEvent, failures: readonly Failure[], places: number): void {
  const [first, ...others] = failures;
  if (first === undefined) return;
  if (others.length === 0) throw first.error;
  const cause = new AggregateError(
    failures.map(({ error }) => error),
    failures.map(({ name, error }) => `${name}: ${reasonOf(error)}`).join(', '),
  );
  throw new AuditUnavailableError(id, `${failures.length} of ${places} places`, { cause });
}
