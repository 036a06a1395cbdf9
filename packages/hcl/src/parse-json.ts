/**
 * JSON as Terraform reads it: a key that an object has several times counts each time, where `JSON.parse` keeps the last value.
 */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

interface JsonObject {
  /** In their order. */
  readonly members: readonly JsonMember[];
}

type JsonMember = readonly [key: string, value: JsonValue];

/** Throws a `SyntaxError` for a text that is not JSON. No depth is too deep for it. */
export function parseJson(text: string): JsonValue {
  // What follows relies on the syntax.
  JSON.parse(text);
  const whole: JsonValue[] = [];
  const open: Append[] = [toList(whole)];
  for (const [token] of text.matchAll(TOKEN)) {
    const append = open.at(-1);
    if (token === '{') {
      const members: JsonMember[] = [];
      append?.({ members });
      open.push(toObject(members));
    } else if (token === '[') {
      const items: JsonValue[] = [];
      append?.(items);
      open.push(toList(items));
    } else if (token === '}' || token === ']') open.pop();
    else append?.(JSON.parse(token) as string | number | boolean | null); // The tokens that are left.
  }
  return whole[0] ?? null;
}

/** All but the commas, colons and spaces between them. */
const TOKEN = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,:{}[\]"]+/g;

type Append = (value: JsonValue) => void;

function toList(items: JsonValue[]): Append {
  return (value) => {
    items.push(value);
  };
}

/** In an object, a key comes before each value. */
function toObject(members: JsonMember[]): Append {
  let key: string | undefined;
  return (value) => {
    // JSON has no keys but strings.
    if (key === undefined) key = value as string;
    else {
      members.push([key, value]);
      key = undefined;
    }
  };
}
