/** The steps of the workflow as it runs them: by the Makefile, with its variables, beside programs that only write down their arguments. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const TOP = path.join(import.meta.dirname, '../../../..');

/** `make` checks what is installed; making the files of a release takes ten seconds. Beside others, many times that. */
const MADE_WITHIN_MS = 10 * 60_000;

export interface Runner {
  readonly folder: string;
  make(target: string, variables: Readonly<Record<string, string>>): Promise<Made>;
  /** Command lines of cosign and gh, in their order. */
  calls(): Promise<readonly string[]>;
  /** What later jobs are told. */
  outputs(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

export interface Made {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a job has: programs that GitHub and its actions install, and a file for outputs. */
export async function aRunner(): Promise<Runner> {
  const folder = await mkdtemp(path.join(tmpdir(), 'runner-'));
  const [calls, outputs] = [path.join(folder, 'calls'), path.join(folder, 'outputs')];
  for (const program of ['cosign', 'gh']) {
    const file = path.join(folder, program);
    // Like cosign, it writes the bundle of a file.
    const bundle = 'while [ $# -gt 0 ]; do [ "$1" != --bundle ] || echo signed > "$2"; shift; done';
    await writeFile(file, `#!/bin/sh\necho "${program} $*" >> ${calls}\n${bundle}\n`);
    await chmod(file, 0o755);
  }
  const lines = async (file: string) => (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  return {
    folder,
    make: (target, variables) => {
      const programs = `${folder}:${process.env['PATH'] ?? ''}`;
      return make(target, { ...process.env, PATH: programs, GITHUB_OUTPUT: outputs, ...variables });
    },
    calls: () => lines(calls),
    outputs: () => lines(outputs),
    remove: () => rm(folder, { recursive: true }),
  };
}

function make(target: string, env: NodeJS.ProcessEnv): Promise<Made> {
  return new Promise((resolve, reject) => {
    const options = { cwd: TOP, env, timeout: MADE_WITHIN_MS };
    execFile('make', ['--no-print-directory', target], options, (error, stdout, stderr) => {
      const status = error === null ? 0 : error.code;
      if (typeof status === 'number') resolve({ status, stdout, stderr });
      else reject(error ?? new Error('expected an exit code'));
    });
  });
}
