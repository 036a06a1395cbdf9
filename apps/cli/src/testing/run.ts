/** Runs `nereid` in tests: as the program that people start, and within the test where terminals and clocks are made up. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach } from '@jest/globals';
import type { ExitCode } from '../exit-code.ts';
import { runNereid } from '../run-nereid.ts';

const BIN = fileURLToPath(new URL('../../bin/nereid.js', import.meta.url));

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  /** The console that is asked. */
  readonly console?: { readonly url: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The folder in which it is started; absent: any that holds nothing of ours. */
  readonly folder?: string;
}

export interface RunningNereid {
  /** Resolves with all of the output once it has matched; rejects when the program has ended before. */
  readonly prints: (pattern: RegExp) => Promise<string>;
  readonly kill: (signal: NodeJS.Signals) => unknown;
  /** Reads no more of its output. */
  readonly leave: () => unknown;
  readonly ended: Promise<Ended>;
}

/** Less than jest has, because this can say what was waited for. */
const PATIENCE_MS = 120_000;

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** A folder of its own, without a login. Removed after the test. */
export function aHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'nereid-home-'));
  endings.push(() => rmSync(home, { recursive: true }));
  return home;
}

/** Is ended after the test. */
export function startNereid(args: readonly string[], surroundings: Surroundings = {}): RunningNereid {
  const { console, env = {}, stdin = '', folder } = surroundings;
  const own = {
    PATH: process.env['PATH'],
    HOME: env['HOME'] ?? aHome(),
    ...(console && { NEREID_CONSOLE: console.url }),
  };
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder ?? tmpdir(), env: { ...own, ...env } });
  endings.push(() => child.kill('SIGKILL'));
  child.stdin.end(stdin);
  const printed = { stdout: '', stderr: '' };
  let look: () => void = () => undefined;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8');
    child[name].on('data', (text: string) => {
      printed[name] += text;
      look();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (status) => {
      resolve({ status, ...printed });
    });
  });
  return {
    ended,
    kill: (signal) => child.kill(signal),
    leave: () => child.stdout.destroy(),
    async prints(pattern) {
      const found = new Promise<'found'>((resolve) => {
        look = () => {
          if (pattern.test(printed.stdout + printed.stderr)) resolve('found');
        };
        look();
      });
      const late = new AbortController();
      const first = await Promise.race([found, ended, sleep(PATIENCE_MS, 'late' as const, { signal: late.signal })]);
      late.abort();
      if (first !== 'found' && !pattern.test(printed.stdout + printed.stderr))
        throw new Error(`expected ${String(pattern)} in the output, found ${JSON.stringify(printed)}`);
      return printed.stdout + printed.stderr;
    },
  };
}

export function nereid(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  return startNereid(args, surroundings).ended;
}

export interface MadeUp extends Surroundings {
  /** What stands on the terminal that stdout and stderr are; absent: they are files. */
  readonly terminal?: {
    readonly columns: number;
    readonly types?: string;
    /** To questions that end with a colon, in their order. */
    readonly answers?: readonly string[];
  };
  readonly now?: () => number;
  /** The id of the person; absent: that of the containers. */
  readonly user?: number;
  /** What the person does who reads this on stderr. */
  readonly onNote?: (text: string) => void;
  /** The same for stdout. */
  readonly onLine?: (text: string) => void;
  /** As of Ctrl-C. */
  readonly signal?: AbortSignal;
}

/** Within the test, in a world that is made up. */
export async function nereidInside(args: readonly string[], madeUp: MadeUp = {}): Promise<Ended> {
  const {
    console,
    env = {},
    stdin = '',
    terminal,
    now = Date.now,
    onNote,
    onLine,
    signal,
    folder = tmpdir(),
    user = 1_000,
  } = madeUp;
  const input = Object.assign(new PassThrough(), { isTTY: terminal !== undefined });
  const answers = [...(terminal?.answers ?? [])];
  const printed = { stdout: '', stderr: '' };
  const output = (name: keyof typeof printed) => ({
    write(text: string) {
      printed[name] += text;
      // Somebody reads the question before they answer.
      if (name === 'stderr' && text.includes('? [y/N]')) input.write(terminal?.types ?? '');
      if (name === 'stderr' && text.startsWith('Token for')) input.write(terminal?.types ?? '');
      if (name === 'stderr' && text.endsWith(': ') && answers.length > 0) input.write(`${answers.shift() ?? ''}\n`);
      if (name === 'stderr') onNote?.(text);
      if (name === 'stdout') onLine?.(text);
      return true;
    },
    once: () => undefined,
    isTTY: terminal !== undefined,
    ...(terminal && { columns: terminal.columns }),
  });
  if (terminal === undefined) input.end(stdin);
  const status: ExitCode = await runNereid({
    args,
    env: { ...(console && { NEREID_CONSOLE: console.url }), ...env },
    home: env['HOME'] ?? aHome(),
    folder,
    user,
    stdin: input,
    stdout: output('stdout'),
    stderr: output('stderr'),
    signal: signal ?? new AbortController().signal,
    now,
  });
  return { status, ...printed };
}
