/** The forms in which a secret may appear in output. */

/** Shorter pieces (a brace, `EOF`, the last characters of a line) reveal nothing, and masking them would hide half the log. */
const PIECE_LIMIT = 6;

/** The widths at which `base64` and `openssl base64` break their lines. */
const BASE64_WIDTHS = [76, 64] as const;

/**
 * As it is, on one line, line by line where it is indented, as JSON and HCL escape it, as a URL does, in base64 wherever in the encoded
 * bytes it begins, and in hexadecimal. No form of an empty secret.
 */
export function spellings(secret: string): ReadonlySet<string> {
  const text = secret.trim().toWellFormed();
  if (text === '') return new Set();
  return new Set([
    text,
    text.replaceAll(/\s+/g, ' '),
    ...asJson(text),
    ...asUrl(text),
    ...longOnes([...lines(text), ...asBase64(text), ...asHex(text)]),
  ]);
}

/** As it is, and as JSON and HCL escape it. */
export function exactSpellings(value: string): readonly string[] {
  const text = value.trim().toWellFormed();
  return text === '' ? [] : [text, ...asJson(text)];
}

function longOnes(pieces: readonly string[]): readonly string[] {
  return pieces.filter(({ length }) => length >= PIECE_LIMIT);
}

function lines(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => line.trim());
}

/** Go, and so Terraform, also escapes what HTML would read. */
function asJson(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  return [json, json.replaceAll(/[<>&]/g, (character) => `\\u00${hexOf(character)}`)];
}

/** Encoders disagree on what may stay as it is, and on the case of the digits. */
function asUrl(text: string): readonly string[] {
  const component = encodeURIComponent(text);
  const strict = component.replaceAll(/[!'()*]/g, (character) => `%${hexOf(character).toUpperCase()}`);
  const forms = [component, strict, strict.replaceAll('%20', '+'), encodeURI(text)];
  return forms.flatMap((form) => [form, form.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase())]);
}

function asBase64(text: string): readonly string[] {
  const inner = [0, 1, 2].map((bytesBefore) => base64Within(text, bytesBefore));
  const broken = BASE64_WIDTHS.flatMap((width) => inner[0]?.match(new RegExp(`.{1,${width}}`, 'g')) ?? []);
  return [...inner, ...broken].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** The characters that are the same whatever stands around the text: each has 6 bits. */
function base64Within(text: string, bytesBefore: number): string {
  const bytes = Buffer.concat([Buffer.alloc(bytesBefore), Buffer.from(text)]);
  return bytes.toString('base64').slice(Math.ceil((bytesBefore * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

function asHex(text: string): readonly string[] {
  const hex = hexOf(text);
  return [hex, hex.toUpperCase()];
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}
