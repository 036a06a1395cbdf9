import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface RecordedCommand {
  readonly argv: string;
  readonly variables: string;
}

/** A `git` that writes down how it was called before it becomes the real one. */
export async function recordGit(dir: string) {
  const bin = join(dir, 'bin');
  const log = join(dir, 'git.log');
  const path = process.env['PATH'] ?? '';
  await mkdir(bin);
  const program = join(bin, 'git');
  // In one write: two commands may run at once.
  const record = `line=$(printf '%s\\t' "$*"; env | tr '\\n' ' ')\nprintf '%s\\n' "$line" >> '${log}'`;
  await writeFile(program, `#!/bin/sh\n${record}\nPATH='${path}' exec git "$@"\n`);
  await chmod(program, 0o755);
  const commands = async (): Promise<readonly RecordedCommand[]> => {
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    return lines.map((line) => {
      const [argv = '', variables = ''] = line.split('\t');
      return { argv, variables };
    });
  };
  /** Forgets what was called until now. */
  const reset = async () => writeFile(log, '');
  return { environment: { PATH: `${bin}:${path}` }, commands, reset };
}
