import { readFile, stat } from 'node:fs/promises';

/** A file by which a tool remembers a choice has a few lines. */
const LIMIT_BYTES = 16 * 1024;

/** Empty where there is no such file. A link may lead to a device or a pipe, which has no end. */
export async function readSmallFile(file: string): Promise<string> {
  try {
    const found = await stat(file);
    return found.isFile() && found.size <= LIMIT_BYTES ? await readFile(file, 'utf8') : '';
  } catch {
    return '';
  }
}
