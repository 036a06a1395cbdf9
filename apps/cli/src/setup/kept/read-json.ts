import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { errorFields } from '../../error-fields.ts';
import { wrongUsage } from '../../exit-code.ts';

/** A file that a set-up wrote. Undefined when there is none; throws a sentence when it is something else. */
export function readJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const read = schema.safeParse(parsed(text));
  if (read.success) return read.data;
  throw wrongUsage(`expected ${file} as nereid setup writes it, found something else; move it away`);
}

/** Undefined when there is no such file. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (errorFields(cause).code === 'ENOENT') return undefined;
    throw wrongUsage(`expected to read ${file}, found: ${errorFields(cause).message}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
