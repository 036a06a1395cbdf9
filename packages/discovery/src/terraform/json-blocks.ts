/** Blocks of a JSON configuration: each is an object, or stands in a list. */

export type Block = Readonly<Record<string, unknown>>;

export function blocksOf(top: unknown, key: string): readonly Block[] {
  return blocksIn(top).flatMap((block) => (Object.hasOwn(block, key) ? blocksIn(block[key]) : []));
}

/** A block, or those of a list, in which Terraform takes lists as well. */
export function blocksIn(value: unknown): readonly Block[] {
  const found: Block[] = [];
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (Array.isArray(one)) for (const each of one.toReversed()) left.push(each);
    else if (isBlock(one)) found.push(one);
  }
  return found;
}

export function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
