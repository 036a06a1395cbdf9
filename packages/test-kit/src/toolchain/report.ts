/** Where progress goes: one line at a time, without a line break. */
export type Report = (line: string) => void;

/** A line every ten seconds shows that a build of minutes is alive, without drowning what else is printed. */
const TICK_MS = 10_000;

/** Reports the start, the elapsed time while it lasts, and the end of one piece of work that may take minutes. */
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
