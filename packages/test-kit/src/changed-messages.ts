/** Messages that somebody changed on their way: for each field of a genuine one, another value, and none. */

export interface ChangedMessage<T> {
  /** Such as `order.preview.expiresAt is another one`. */
  readonly what: string;
  readonly message: T;
}

/** In each, exactly one field differs; lists have one entry less, or one changed. */
export function changedMessages<T extends object>(genuine: T): readonly ChangedMessage<T>[] {
  return changesOf(genuine, '').map(({ what, value }) => ({ what, message: value as T })); // Of that shape, but for the change.
}

interface Change {
  readonly what: string;
  readonly value: unknown;
}

function changesOf(value: unknown, path: string): readonly Change[] {
  if (Array.isArray(value)) return changesOfList(value, path);
  if (typeof value === 'object' && value !== null) return changesOfFields(value, path);
  return [{ what: `${path} is another one`, value: otherThan(value) }];
}

function changesOfList(list: readonly unknown[], path: string): readonly Change[] {
  const changed = list.flatMap((entry, index) =>
    changesOf(entry, `${path}[${index}]`).map(({ what, value }) => ({ what, value: list.with(index, value) })),
  );
  const shorter = { what: `${path} has one entry less`, value: list.slice(0, -1) };
  return list.length === 0 ? [{ what: `${path} has an entry`, value: ['made up'] }] : [...changed, shorter];
}

function changesOfFields(fields: object, path: string): readonly Change[] {
  return Object.entries(fields).flatMap(([name, own]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const { [name]: _none, ...rest } = { ...fields } as Readonly<Record<string, unknown>>;
    const changed = changesOf(own, at).map(({ what, value }) => ({ what, value: { ...fields, [name]: value } }));
    return [...changed, { what: `${at} is missing`, value: rest }];
  });
}

function otherThan(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return value + 1;
    case 'boolean':
      return !value;
    case 'string':
      return `${value}x`;
    default:
      return 'made up';
  }
}
