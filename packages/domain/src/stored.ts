/** What is between schemas and types. Types alone: this module brings no schema library to anybody. */
import type { z } from 'zod';

/** The type of a schema, with readonly fields. */
export type Stored<Schema extends z.ZodType> = Unchanging<z.output<Schema>>;

type Unchanging<T> = T extends readonly (infer Entry)[]
  ? readonly Unchanging<Entry>[]
  : T extends object
    ? { readonly [Field in keyof T]: Unchanging<T[Field]> }
    : T;

/**
 * `partsOf<Whole>()(schema)`: a schema of some parts of a record, enough to refuse garbage. The compiler refuses one that is not
 * true of the whole type.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- callers name the whole, and the schema is inferred
export function partsOf<Whole>() {
  return <Schema extends z.ZodType>(schema: Whole extends Stored<Schema> ? Schema : never): Schema => schema;
}
