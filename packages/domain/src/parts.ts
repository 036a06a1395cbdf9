/** One activity of several parts, the first argument of which names the part: each keeps its own limits and attempts. */
export type InParts<Parts> = <Part extends keyof Parts & string>(
  part: Part,
  ...asked: PartArguments<Parts[Part]>
) => Promise<PartResult<Parts[Part]>>;

export type PartArguments<Part> = Part extends (...args: infer Asked) => unknown ? Asked : never;
export type PartResult<Part> = Part extends (...args: never) => infer Answer ? Awaited<Answer> : never;

/** Anybody who reaches Temporal may ask for a part that does not exist. */
export function inParts<Parts extends object>(parts: Parts): InParts<Parts> {
  return async (part, ...asked) => {
    if (!Object.hasOwn(parts, part)) throw new Error(`expected one of ${Object.keys(parts).join(', ')}, found ${part}`);
    const perform = parts[part] as (...args: typeof asked) => Promise<PartResult<Parts[typeof part]>>; // As its type has it.
    return perform(...asked);
  };
}
