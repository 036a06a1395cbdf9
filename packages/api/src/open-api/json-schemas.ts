/** The schemas of parameters and answers as JSON Schema 2020-12, which is what OpenAPI 3.1 has. */
import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

const COMPONENTS = '#/components/schemas/';

/** Where the document has the schema. */
export function referenceTo(schema: z.ZodType): JsonSchema {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new Error('expected a schema with an id, found one without; give it a .meta({ id })');
  return { $ref: COMPONENTS + id };
}

/** The schema itself, or where the document has it. */
export function jsonSchemaOf(schema: z.core.$ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, { override: withoutSafeLimits });
  const { $schema: _dialect, $defs: _components, id: _id, ...rest } = json;
  // Zod refers to schemas with an id as definitions of this one schema; the document has them once for all.
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${COMPONENTS}`)) as JsonSchema; // It was one before.
}

/** The schemas that something refers to, and those that they refer to. */
export function componentsFor(something: unknown): Readonly<Record<string, JsonSchema>> {
  const all = allWithIds();
  const components: Record<string, JsonSchema> = {};
  const wanted = referencesIn(something);
  for (const id of wanted) {
    const schema = all[id];
    if (schema === undefined || components[id] !== undefined) continue;
    components[id] = schema;
    wanted.push(...referencesIn(schema));
  }
  return components;
}

function allWithIds(): Readonly<Record<string, JsonSchema>> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (id) => COMPONENTS + id, override: withoutSafeLimits });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _uri, ...schema }]) => [id, schema]),
  );
}

function referencesIn(something: unknown): string[] {
  return Array.from(JSON.stringify(something).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, id]) => id ?? '');
}

/** That an integer is exact as a double is a matter of JavaScript, not of the API. */
function withoutSafeLimits({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
