/** Secrets that must not be found anywhere, and the search for them, however they are written. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Texts by the names of the things for which they stand. */
export type Canaries = Readonly<Record<string, string>>;

export function aSecret(): string {
  return randomBytes(24).toString('hex');
}

/** Of every private key and secret of the stack, a part that nothing else has. */
export async function canariesOfKeys(folder: string): Promise<Canaries> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.pub.pem'));
  const each = names.map(async (name) => [name, bodyOf(await readFile(path.join(folder, name), 'utf8'))] as const);
  return Object.fromEntries(await Promise.all(each));
}

/** The lines of a PEM are 64 characters long; the last ones differ from key to key. */
function bodyOf(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
  // All keys of a kind begin alike.
  return String(lines.at(-1)).slice(-40);
}

/** The names of the canaries that are in the text: as they are, backwards, in base64, in hexadecimal, or as URLs spell them. */
export function canariesIn(canaries: Canaries, text: string): readonly string[] {
  return Object.entries(canaries).flatMap(([name, canary]) =>
    spellingsOf(canary).some((spelling) => text.includes(spelling)) ? [name] : [],
  );
}

function spellingsOf(canary: string): readonly string[] {
  const hex = Buffer.from(canary).toString('hex');
  const backwards = Array.from(canary).toReversed().join('');
  return [canary, backwards, hex, hex.toUpperCase(), encodeURIComponent(canary), ...[0, 1, 2].map(inBase64)];

  /** Without the characters that depend on what stands before and after. */
  function inBase64(before: number): string {
    const whole = Math.floor((before + canary.length) / 3) * 3 - before;
    const encoded = Buffer.from(`${'x'.repeat(before)}${canary.slice(0, whole)}`).toString('base64');
    return encoded.slice(before === 0 ? 0 : 4);
  }
}
