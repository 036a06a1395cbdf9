/** Receives progress, one line at a time, without a line break. */
export type Report = (line: string) => void;

/** A line every ten seconds shows that a build of minutes is alive, without drowning other output. */
const TICK_MS = 10_000;

/** Reports one piece of work that may take minutes: its start, the elapsed time while it lasts, and its end. */
export async function withElapsed<T>(report: Report, title: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const elapsed = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  report(`${title} …`);
  const ticker = setInterval(() => {
    report(`${title} … ${elapsed()}`);
  }, TICK_MS);
  try {
    const result = await work();
    report(`${title}: done in ${elapsed()}`);
    return result;
  } catch (error) {
    report(`${title}: failed after ${elapsed()}`);
    throw error;
  } finally {
    clearInterval(ticker);
  }
}
