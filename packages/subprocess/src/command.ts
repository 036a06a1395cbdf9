import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';

/** A command to run. No shell is involved, and nothing is inherited from this process. */
export interface Command {
  /** The program (looked up in `env.PATH` unless it has a slash) and its arguments. Never a secret: others can read them. */
  readonly argv: readonly [string, ...string[]];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export type Startable =
  { readonly kind: 'startable'; readonly program: string } | { readonly kind: 'not-startable'; readonly why: string };

/** Finds a command's program as an absolute path, so that "not found" is not mistaken for the program's own exit code. */
export async function findProgram({ argv: [program], env, cwd }: Command): Promise<Startable> {
  if (!(await isFolder(cwd))) return { kind: 'not-startable', why: `its working directory ${cwd} is not a directory` };
  for (const candidate of candidates(program, env['PATH'] ?? '', cwd)) {
    if (await isExecutable(candidate)) return { kind: 'startable', program: candidate };
  }
  const where = program.includes('/') ? 'is not an executable file' : 'is not in PATH';
  return { kind: 'not-startable', why: `${program} ${where}` };
}

function candidates(program: string, searchPath: string, cwd: string): readonly string[] {
  if (program.includes('/')) return [path.resolve(cwd, program)];
  return searchPath
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.resolve(cwd, folder, program));
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
