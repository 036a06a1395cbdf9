/** The line in which the background requests of an installation wait, by the real clock. */
import { isRequestError, retryAfterOf } from '../failures.ts';
import type { Conversation } from './background.ts';
import { HeldBackError, NotBegunError } from '../../errors.ts';
import { Turns, type LimitsSnapshot, type Turn, type TurnRequest } from './turns.ts';

export interface Line {
  /**
   * Waits for a turn and does the work; `refund` gives back the points of the request. Throws a `HeldBackError` with a
   * reserved turn, or a `NotBegunError` after the signal `begin`.
   */
  run<T>(wanted: Conversation & { readonly points: number }, work: (refund: () => void) => Promise<T>): Promise<T>;
  /** Counts a person's request; the returned function gives its points back. */
  spend(points: number): () => void;
  /** GitHub wants to be left alone for this long. */
  close(quietMs: number): void;
  snapshot(): LimitsSnapshot;
}

export function createLine(): Line {
  const turns = new Turns();
  // Monotonic: nobody can set this clock.
  const now = () => performance.now();
  let timer: NodeJS.Timeout | undefined;

  const wake = (): void => {
    timer = undefined;
    turns.beginNext(now());
    keepAwake();
  };
  const keepAwake = (): void => {
    if (turns.waiting > 0) timer ??= setTimeout(wake, 1_000 - (now() % 1_000));
  };

  async function enter(wanted: Conversation & { readonly points: number }): Promise<[TurnRequest, Turn]> {
    const { begin } = wanted;
    if (begin?.aborted === true) throw new NotBegunError({ cause: begin.reason });
    const { promise, resolve, reject } = Promise.withResolvers<[TurnRequest, Turn]>();
    const request: TurnRequest = {
      ...wanted,
      begin: (turn) => resolve([request, turn]),
      sendAway: (retryAfterMs) => reject(new HeldBackError(retryAfterMs)),
    };
    const giveUp = (): void => {
      if (!turns.giveUp(request, now())) reject(new NotBegunError({ cause: begin?.reason }));
    };
    begin?.addEventListener('abort', giveUp, { once: true });
    turns.ask(request, now());
    keepAwake();
    return promise.finally(() => begin?.removeEventListener('abort', giveUp));
  }

  return {
    async run(wanted, work) {
      const [request, turn] = await enter(wanted);
      try {
        return await work(() => turns.refund(turn, wanted.points));
      } catch (error) {
        if (retryAfterOf(error) === undefined) throw error;
        const status = isRequestError(error) ? error.status : 0;
        throw new HeldBackError(turns.reserve(request, now()), status, { cause: error });
      } finally {
        turns.end(now());
        keepAwake();
      }
    },
    spend(points) {
      const turn = turns.spend(points, now());
      return () => turns.refund(turn, points);
    },
    close(quietMs) {
      if (quietMs > 0) turns.close(now() + quietMs, now());
    },
    snapshot: () => turns.snapshot(now()),
  };
}
