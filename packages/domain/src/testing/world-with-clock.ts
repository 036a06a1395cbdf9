/** A world with its own clock, in which everything happens in the order of its time, and chance decides what. */
export class WorldWithClock {
  now = Date.parse('2026-01-31T14:00:00.000Z');
  /** Everything answers well, and quickly. */
  isHealthy = false;
  protected readonly random: () => number;
  private readonly agenda: { readonly at: number; readonly act: () => void }[] = [];

  constructor(random: () => number) {
    this.random = random;
  }

  isLikely(percent: number): boolean {
    return this.random() * 100 < percent;
  }

  at(time: number, act: () => void): void {
    this.agenda.push({ at: Math.max(time, this.now), act });
  }

  /** Lets everything happen until then, in order. */
  passUntil(time: number): void {
    for (;;) {
      const next = this.agenda.reduce((first, one) => (one.at < first.at ? one : first), NOTHING);
      if (next.at > time) break;
      this.agenda.splice(this.agenda.indexOf(next), 1);
      this.now = next.at;
      next.act();
    }
    this.now = time;
  }
}

const NOTHING = { at: Infinity, act: () => undefined };
