export type Schema = Readonly<Record<string, unknown>>;

/** Keywords that explain something to people and check nothing. */
const PROSE = new Set(['description', 'example', 'examples', 'title', 'deprecated', 'externalDocs', 'default']);

/**
 * Turns a schema of OpenAPI 3.0 into JSON Schema: `nullable` becomes a type, references point at our definitions.
 *
 * The names of the definitions referred to are added to `used`.
 */
export function toJsonSchema(schema: Schema, used: Set<string>): Schema {
  const converted = convert(schema, used);
  // Every schema of the published file is an object, and `convert` keeps objects objects.
  return converted as Schema;
}

function convert(value: unknown, used: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => convert(each, used));
  if (typeof value !== 'object' || value === null) return value;
  const converted: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) {
    if (key === 'properties') converted[key] = convertProperties(each, used);
    else if (key === '$ref') converted[key] = convertReference(String(each), used);
    else if (key !== 'nullable' && !PROSE.has(key) && !key.startsWith('x-')) converted[key] = convert(each, used);
  }
  return 'nullable' in value && value.nullable === true ? allowNull(converted) : converted;
}

/** Here the keys are names that GitHub chose, `title` and `description` among them. */
function convertProperties(properties: unknown, used: Set<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, each]) => [name, convert(each, used)]));
}

function convertReference(reference: string, used: Set<string>): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  used.add(name);
  return `github#/definitions/${name}`;
}

function allowNull(schema: Record<string, unknown>): Record<string, unknown> {
  return { anyOf: [schema, { type: 'null' }] };
}
