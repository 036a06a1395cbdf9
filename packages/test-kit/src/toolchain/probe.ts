import { findProgram } from '@nereid/subprocess';
import { definedOnly, type Environment } from './environment.ts';
import type { Attempt } from './find-tool.ts';
import { runTool } from './run-tool.ts';
import { isAtLeast } from './version.ts';

export interface Probe {
  /** A path, or a name that is looked for on PATH. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Finds the version, as the first group, in the program's output. */
  readonly version: RegExp;
  readonly oldest: string;
  readonly env: Environment;
}

/** Loading 250 MB from a cold disk takes seconds; a program that answers later than this is not the right one. */
const VERSION_TIMEOUT_MS = 30_000;

/** Asks an installed program for its version. */
export async function probe({ program, arguments: args, version, oldest, env }: Probe): Promise<Attempt> {
  const startable = findProgram({ argv: [program], env: definedOnly(env), cwd: process.cwd() });
  if (startable.kind === 'not-startable') return { kind: 'not-found', why: startable.why, isAbsent: true };

  const printed = await runTool({ argv: [startable.program, ...args], env, timeoutMs: VERSION_TIMEOUT_MS });
  const found = version.exec(printed)?.[1];
  const asked = [startable.program, ...args].join(' ');
  if (found === undefined) return { kind: 'not-found', why: `${asked} prints no version` };
  if (!isAtLeast(found, oldest)) return { kind: 'not-found', why: `${asked} answers ${found}, older than ${oldest}` };
  return { kind: 'found', path: startable.program, what: `version ${found}` };
}
