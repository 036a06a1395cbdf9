/** Returns the results in the order of the items. Works on at most `limit` items at the same time. Throws the first failure. */
export async function mapAtOnce<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  async function next(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: limit }, next));
  return results;
}
