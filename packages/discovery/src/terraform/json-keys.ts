import { defined } from '@nereid/domain/defined';

export interface JsonKeys {
  readonly all: ReadonlySet<string>;
  /** A key that an object has twice. `JSON.parse` keeps the last of its values. */
  readonly repeated?: string;
}

/** Terraform skips the values of this key. */
const COMMENT = '//';

/** The keys of all objects in a text that is known to be JSON. */
export function readKeys(text: string): JsonKeys {
  const all = new Set<string>();
  let repeated: string | undefined;
  // The keys of each object around this place; undefined for a list.
  const around: (Set<string> | undefined)[] = [];
  let at = 0;
  let string = '';
  while (at < text.length) {
    const char = text[at];
    if (char === '{') around.push(new Set());
    else if (char === '[') around.push(undefined);
    else if (char === '}' || char === ']') around.pop();
    else if (char === ':') {
      const key = String(JSON.parse(string));
      if (key !== COMMENT && around.at(-1)?.has(key) === true) repeated ??= key;
      around.at(-1)?.add(key);
      all.add(key);
    } else if (char === '"') {
      const end = endOfString(text, at + 1);
      string = text.slice(at, end);
      at = end;
      continue;
    }
    at += 1;
  }
  return { all, ...defined({ repeated }) };
}

function endOfString(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
