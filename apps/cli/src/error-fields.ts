/** Fields of a thrown value, which may be anything. */
export interface ErrorFields {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message: string;
  readonly cause?: unknown;
}

export function errorFields(thrown: unknown): ErrorFields {
  const fields = Object(thrown) as Partial<Record<keyof ErrorFields, unknown>>; // Each of them is unknown.
  const { name, code, message, cause } = fields;
  return { name, code, cause, message: typeof message === 'string' ? message : String(thrown) };
}
