/**
 * GitHub's points of an installation, second by second: points that are spent, and points that are reserved for later.
 * GitHub counts a read as one point, a write as five, and allows 900 a minute.
 *
 * Points that are booked for a second are spent in it, or at most `LATE_SECONDS` after it. So no minute exceeds the limit if
 * no window of `WINDOW_SECONDS` does.
 */
export const READ_POINTS = 1;
export const WRITE_POINTS = 5;

/** How late a turn may be: a lane's timer, its workflow task and its activity take this long on a busy machine. */
export const LATE_SECONDS = 5;

const WINDOW_SECONDS = 60 + 1 + LATE_SECONDS;

interface Wanted {
  readonly points: number;
  /** Per minute. */
  readonly limit: number;
  readonly aSecond?: number;
}

export class Points {
  readonly #bySecond = new Map<number, number>();

  on(second: number): number {
    return this.#bySecond.get(second) ?? 0;
  }

  /** Negative points give back points that were booked. */
  book(second: number, points: number): void {
    const booked = this.on(second) + points;
    if (booked === 0) this.#bySecond.delete(second);
    else this.#bySecond.set(second, booked);
  }

  /** Whether no window would exceed the limit. Windows that end later count too: they may hold reserved points. */
  fit(second: number, points: number, limit: number): boolean {
    return this.#lastOverfull(second, points, limit) === undefined;
  }

  /** The first second, not before `from`, in which the points fit. */
  earliest(from: number, { points, limit, aSecond = limit }: Wanted): number {
    const wanted = Math.min(points, aSecond);
    for (let second = from; ;) {
      const isFull = this.on(second) + wanted > aSecond;
      const overfull = isFull ? second : this.#lastOverfull(second, wanted, limit);
      if (overfull === undefined) return second;
      second = overfull + 1;
    }
  }

  inWindow(second: number): number {
    let sum = 0;
    for (let each = second - WINDOW_SECONDS + 1; each <= second; each += 1) sum += this.on(each);
    return sum;
  }

  /** Forgets the seconds that are in no window that ends at this second or later. */
  forgetBefore(second: number): void {
    for (const each of this.#bySecond.keys()) if (each <= second - WINDOW_SECONDS) this.#bySecond.delete(each);
  }

  /** The end of the last window that these points would overfill. */
  #lastOverfull(second: number, points: number, limit: number): number | undefined {
    let sum = this.inWindow(second) + points;
    let last = sum > limit ? second : undefined;
    for (let end = second + 1; end < second + WINDOW_SECONDS; end += 1) {
      sum += this.on(end) - this.on(end - WINDOW_SECONDS);
      if (sum > limit) last = end;
    }
    return last;
  }
}
