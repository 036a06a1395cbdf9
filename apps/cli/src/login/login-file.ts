/**
 * The tokens with which somebody is logged in, by console, in a file that nobody else may read. A token goes only to the console for
 * which it was stored.
 */
import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { errorFields } from '../error-fields.ts';
import { EXIT, ExitError, wrongUsage } from '../exit-code.ts';
import type { World } from '../world.ts';

const Login = z.object({
  version: z.literal(1),
  /** The console of the last login, which is asked where nobody names another. */
  current: z.string().optional(),
  tokens: z.record(z.string(), z.string()),
});
export type Login = z.infer<typeof Login>;

const NOBODY: Login = { version: 1, tokens: {} };

/** Bits of the mode by which others may read or write. */
const OTHERS = 0o077;

/** By the XDG Base Directory Specification, which ignores relative paths. */
export function loginFile({ env, home }: Pick<World, 'env' | 'home'>): string {
  const { XDG_CONFIG_HOME: folder = '' } = env;
  return join(isAbsolute(folder) ? folder : join(home, '.config'), 'nereid', 'login.json');
}

export function readLogin(file: string): Login {
  const text = readPrivate(file);
  if (text === undefined) return NOBODY;
  const read = Login.safeParse(parsed(text));
  if (!read.success)
    throw wrongUsage(`expected ${file} as nereid login writes it, found something else; remove it and log in again`);
  return read.data;
}

export function writeLogin(file: string, login: Login): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(login, undefined, 2)}\n`, { mode: 0o600 });
    // A draft that a crash left behind may have had another mode.
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (cause) {
    throw new ExitError(EXIT.wrongUsage, `expected to write ${file}, found: ${errorFields(cause).message}`, { cause });
  }
}

/** Undefined when there is no such file. Throws when somebody else may read it: then they may have. */
export function readPrivate(file: string): string | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(file, 'r');
    const mode = fstatSync(opened).mode & 0o777;
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw wrongUsage(
        `expected ${file} to be yours alone, found that others may read it (mode ${mode.toString(8)}): chmod 600 it, and get a new token if they did`,
      );
    return readFileSync(opened, 'utf8');
  } catch (cause) {
    if (cause instanceof ExitError) throw cause;
    if (errorFields(cause).code === 'ENOENT') return undefined;
    throw new ExitError(EXIT.wrongUsage, `expected to read ${file}, found: ${errorFields(cause).message}`, { cause });
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
