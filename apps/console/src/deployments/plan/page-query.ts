/** The queries of addresses below a deployment's page. Pure. */

/** The part of its query that says which deployment it is, and lets its visitor in. */
export interface Access extends Readonly<Record<string, string | undefined>> {
  readonly lane?: string;
  /** Of a link. */
  readonly key?: string;
}

export function accessOf({ lane, key }: Readonly<Record<string, unknown>>): Access {
  return { ...(typeof lane === 'string' && { lane }), ...(typeof key === 'string' && { key }) };
}

/** With its question mark; empty when nothing is asked for. */
export function queryText(fields: Readonly<Record<string, string | number | undefined>>): string {
  const asked = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return asked.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(asked)).toString()}`;
}
