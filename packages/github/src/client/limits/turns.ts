/**
 * The turns of an installation's background requests. They wait here and nowhere else.
 *
 * - A request begins when a place is free and its points fit. Otherwise it waits: the most important request goes first, then
 *   the one that came first.
 * - A request whose turn is too far away is sent away with a reserved turn. It keeps the points of that turn until it is a few
 *   seconds late. Reserved turns are spread: few requests come back in the same second.
 * - A request never loses its reserved turn to a more important one. So less important requests may fill only a part of each
 *   minute: otherwise more important ones would have to wait for all that is reserved.
 * - While GitHub wants to be left alone nothing begins. Turns reserved in that time are void; their requests get new ones.
 *
 * Times are milliseconds of any clock that never goes back; the caller passes the current time.
 */
import type { Priority } from '@nereid/forge';
import { LIMITS, paceOf, RANK } from './shares.ts';
import { LATE_SECONDS, Points } from './points.ts';

export interface TurnRequest {
  readonly key: string;
  readonly priority: Priority;
  readonly points: number;
  /** Points of the requests that follow this one; they find a turn of the same key. */
  readonly restPoints: number;
  /** Points of all requests that are made when this one comes back. */
  readonly againPoints: number;
  /** It is sent away when its turn comes later than this. */
  readonly patienceMs?: number;
  begin(turn: Turn): void;
  sendAway(retryAfterMs: number): void;
}

/** Points that are booked for a second. */
export interface Turn {
  readonly second: number;
  readonly priority: Priority;
  points: number;
}

export interface LimitsSnapshot {
  /** Requests that wait in this process. */
  readonly waiting: number;
  /** Requests that come back at a reserved turn. */
  readonly reserved: number;
  /** Points that background requests have left in this minute. */
  readonly pointsLeft: number;
  /** How much longer GitHub wants to be left alone. */
  readonly closedForMs: number;
}

/** Four of an installation's ten concurrent requests are always left for people. */
export const BACKGROUND_PLACES = 6;

/** Each waiting request holds one of a worker's 100 activities; the other forty are for intake. */
export const WAITING_LIMIT = 60;

/** Fits into the 30 s in which an ordinary activity begins its requests. A longer wait is a timer's, which holds nothing. */
const PATIENCE_MS = 20_000;

/** A shorter timer in a lane would cost more than it saves. */
const SHORTEST_WAIT_MS = 1_000;

/** The turns of an hour, at some hundred bytes each; GitHub never closes for longer. */
const RESERVED_LIMIT = 10_000;

const MINUTE_MS = 60_000;

export class Turns {
  readonly #points = new Points();
  readonly #reserved = new Map<string, Turn>();
  /** In the order in which the requests begin. */
  readonly #waiting: TurnRequest[] = [];
  #places = BACKGROUND_PLACES;
  #closedUntil = 0;
  #lastSweep = 0;

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Begins the request, lets it wait, or sends it away. */
  ask(request: TurnRequest, now: number): void {
    this.#sweep(now);
    const turn = this.#reserved.get(request.key);
    if (turn !== undefined && !isDue(turn, now)) {
      if (RANK[turn.priority] <= RANK[request.priority]) {
        request.sendAway(Math.max(SHORTEST_WAIT_MS, turn.second * 1_000 - now));
        return;
      }
      this.#giveBack(request.key);
    }
    if (this.#expectedAt(request, now) - now > patienceOf(request)) {
      this.#sendAway(request, now);
      return;
    }
    const after = this.#waiting.findIndex(({ priority }) => RANK[priority] > RANK[request.priority]);
    this.#waiting.splice(after < 0 ? this.#waiting.length : after, 0, request);
    this.beginNext(now);
    if (this.#waiting.length > WAITING_LIMIT) this.#sendLastAway(now);
  }

  /** The caller calls this once a second while something waits. */
  beginNext(now: number): void {
    this.#sweep(now);
    while (this.#places > 0 && now >= this.#closedUntil) {
      const next = this.#next(now);
      if (next === undefined) return;
      this.#remove(next);
      this.#places -= 1;
      next.begin(this.#book(next, now));
    }
  }

  /** Frees the place of a request that is over. */
  end(now: number): void {
    this.#places += 1;
    this.beginNext(now);
  }

  /**
   * Ends the wait of a request whose time is over. Returns false, and does not send the request away, if it lacks only a
   * place: GitHub is slow then, which is no limit.
   */
  giveUp(request: TurnRequest, now: number): boolean {
    if (!this.#waiting.includes(request)) return true;
    this.#remove(request);
    if (now >= this.#closedUntil && this.#mayBegin(request, now)) return false;
    this.#sendAway(request, now);
    return true;
  }

  /** Reserves a turn for a request that comes back, and returns the milliseconds until then. */
  reserve({ key, priority, againPoints: points }: TurnRequest, now: number): number {
    this.#giveBack(key);
    const from = Math.ceil(Math.max(now + SHORTEST_WAIT_MS, this.#closedUntil) / 1_000);
    const giveBackTurnsBefore = this.#bookWaiting(priority, now);
    const second = this.#points.earliest(from, { points, limit: LIMITS[priority], aSecond: paceOf(priority) });
    giveBackTurnsBefore();
    // Turns in the same second get different milliseconds.
    const at = (second + this.#points.on(second) / paceOf('final')) * 1_000;
    if (this.#reserved.size < RESERVED_LIMIT) {
      this.#points.book(second, points);
      this.#reserved.set(key, { second, priority, points });
    }
    return Math.ceil(at - now);
  }

  /** Books a person's request: it does not wait, but it counts. */
  spend(points: number, now: number): Turn {
    this.#points.book(secondOf(now), points);
    return { second: secondOf(now), priority: 'final', points };
  }

  /** Gives back the points of a request that GitHub did not do. */
  refund({ second }: Turn, points: number): void {
    this.#points.book(second, -points);
  }

  /** Begins nothing until then: GitHub wants to be left alone. */
  close(until: number, now: number): void {
    if (until <= this.#closedUntil) return;
    this.#closedUntil = until;
    for (const [key, { second }] of this.#reserved) if (second * 1_000 < until) this.#giveBack(key);
    for (const request of [...this.#waiting]) if (until - now > patienceOf(request)) this.#sendAway(request, now);
  }

  snapshot(now: number): LimitsSnapshot {
    this.#sweep(now);
    return {
      waiting: this.#waiting.length,
      reserved: this.#reserved.size,
      pointsLeft: Math.max(0, LIMITS.final - this.#points.inWindow(secondOf(now))),
      closedForMs: Math.max(0, this.#closedUntil - now),
    };
  }

  /** The first request or, if it may not begin, the first one whose reserved turn is due. */
  #next(now: number): TurnRequest | undefined {
    const [first] = this.#waiting;
    if (first !== undefined && this.#mayBegin(first, now)) return first;
    return this.#waiting.find((request) => this.#hasTurn(request, now));
  }

  #mayBegin(request: TurnRequest, now: number): boolean {
    if (this.#hasTurn(request, now)) return true;
    const second = secondOf(now);
    const points = request.points + request.restPoints;
    const isCalm = this.#closedUntil > 0 && now < this.#closedUntil + MINUTE_MS;
    if (isCalm && this.#points.on(second) + points > paceOf(request.priority)) return false;
    return this.#points.fit(second, points, LIMITS[request.priority]);
  }

  #hasTurn({ key, points }: TurnRequest, now: number): boolean {
    const turn = this.#reserved.get(key);
    return turn !== undefined && isDue(turn, now) && turn.points >= points;
  }

  /** Books the points of the request, and reserves those of the requests that follow it. */
  #book(request: TurnRequest, now: number): Turn {
    const { key, points, restPoints, priority } = request;
    const mine = this.#hasTurn(request, now) ? this.#reserved.get(key) : undefined;
    const turn = mine ?? { second: secondOf(now), priority, points: 0 };
    const rest = mine === undefined ? restPoints : Math.min(restPoints, mine.points - points);
    if (mine === undefined) this.#giveBack(key);
    this.#points.book(turn.second, points + rest - turn.points);
    if (rest > 0) this.#reserved.set(key, { ...turn, points: rest });
    else this.#reserved.delete(key);
    return turn;
  }

  /** When the request begins at the latest, unless a more important one comes. */
  #expectedAt(request: TurnRequest, now: number): number {
    if (this.#hasTurn(request, now)) return now;
    const { points, restPoints, priority } = request;
    const wanted = { points: this.#pointsWaiting(priority) + points + restPoints, limit: LIMITS[priority] };
    return Math.max(this.#closedUntil, this.#points.earliest(secondOf(now), wanted) * 1_000);
  }

  /**
   * Waiting requests go before requests that come back, so their points are booked during the search for a turn. The returned
   * function gives them back.
   */
  #bookWaiting(priority: Priority, now: number): () => void {
    const limit = LIMITS[priority];
    const points = Math.min(this.#pointsWaiting(priority), limit);
    const second = this.#points.earliest(secondOf(now), { points, limit });
    this.#points.book(second, points);
    return () => this.#points.book(second, -points);
  }

  /** The points of the waiting requests that go before a new one of this priority. */
  #pointsWaiting(priority: Priority): number {
    const before = this.#waiting.filter((each) => RANK[each.priority] <= RANK[priority]);
    return before.reduce((sum, { points, restPoints }) => sum + points + restPoints, 0);
  }

  #sendLastAway(now: number): void {
    const last = this.#waiting.findLast((request) => !this.#hasTurn(request, now)) ?? this.#waiting.at(-1);
    if (last !== undefined) this.#sendAway(last, now);
  }

  #sendAway(request: TurnRequest, now: number): void {
    this.#remove(request);
    request.sendAway(this.reserve(request, now));
  }

  #remove(request: TurnRequest): void {
    const index = this.#waiting.indexOf(request);
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  #giveBack(key: string): void {
    const turn = this.#reserved.get(key);
    if (turn === undefined) return;
    this.#points.book(turn.second, -turn.points);
    this.#reserved.delete(key);
  }

  /** Once a second, gives back turns that nobody came for, and forgets minutes that are over. */
  #sweep(now: number): void {
    const second = secondOf(now);
    if (second === this.#lastSweep) return;
    this.#lastSweep = second;
    for (const [key, turn] of this.#reserved) if (turn.second + LATE_SECONDS < second) this.#giveBack(key);
    this.#points.forgetBefore(second);
  }
}

function patienceOf({ patienceMs = PATIENCE_MS }: TurnRequest): number {
  return patienceMs;
}

function isDue(turn: Turn, now: number): boolean {
  return turn.second <= secondOf(now);
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}
