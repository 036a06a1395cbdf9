/** Answers what each item becomes, in their order; at most `limit` are worked on at the same time. The first failure is thrown. */
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
