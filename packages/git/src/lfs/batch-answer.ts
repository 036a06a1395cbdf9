/** Reads the answer of a batch request of Git LFS: where each object is. */
export type Place =
  | { readonly kind: 'there'; readonly url: URL; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'absent'; readonly why: string };

/** By id; whatever does not look like an object is left out. */
export function placesIn(answer: unknown): ReadonlyMap<string, Place> {
  const { objects } = fieldsOf(answer);
  const all: readonly unknown[] = Array.isArray(objects) ? objects : [];
  return new Map(
    all.flatMap((object) => {
      const { oid, actions, error } = fieldsOf(object);
      return typeof oid === 'string' ? [[oid, placeOf(fieldsOf(actions)['download'], error)] as const] : [];
    }),
  );
}

/** The end of a server's sentence adds nothing. */
const WHY_LIMIT = 100;

function placeOf(download: unknown, error: unknown): Place {
  const { href, header } = fieldsOf(download);
  const url = typeof href === 'string' ? URL.parse(href) : null;
  if (error === undefined && url !== null) return { kind: 'there', url, headers: textsOf(header) };
  const { code, message } = fieldsOf(error);
  const said = [code, message].filter((one) => typeof one === 'string' || typeof one === 'number').join(' ');
  return { kind: 'absent', why: said === '' ? 'nothing' : `"${said.slice(0, WHY_LIMIT)}"` };
}

function textsOf(header: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(fieldsOf(header)).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
