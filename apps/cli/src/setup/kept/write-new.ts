import { existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorFields } from '../../error-fields.ts';
import { wrongUsage } from '../../exit-code.ts';

/** What only its owner reads. */
const PRIVATE = 0o600;

/** Writes a file that is not there yet, whole or not at all. False when there is one: it stays as it is. */
export function writeNew(file: string, text: string, mode = PRIVATE): boolean {
  if (existsSync(file)) return false;
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { mode, flag: 'wx', flush: true });
    // Other than a move, a link replaces nothing.
    linkSync(draft, file);
    return true;
  } catch (cause) {
    if (errorFields(cause).code === 'EEXIST') return false;
    throw wrongUsage(`expected to write ${file}, found: ${errorFields(cause).message}`);
  } finally {
    rmSync(draft, { force: true });
  }
}
