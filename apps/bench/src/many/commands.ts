/** The commands that the processes of a stack have had their launchers start, by name. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

export type Commands = Readonly<Record<string, number>>;

/** In the order of a command line: a supervisor runs bubblewrap, which runs a shell, which runs the command. */
const WRAPPERS = ['sh', 'bwrap'];

export function commandsFileOf(folder: string, processId: number): string {
  return join(folder, `commands.${processId}`);
}

/** `git reset`, `sh bwrap terraform plan`. */
export function commandName(argv: readonly string[]): string {
  const [program = '', ...args] = argv;
  const name = basename(program);
  const wrapped = args.findLastIndex((arg) => /^\/.*\/(?:bwrap|sh|terraform|git|conftest)$/.test(arg));
  if (WRAPPERS.includes(name) && wrapped !== -1) {
    const inner = args.some((arg) => basename(arg) === 'bwrap') && name === 'sh' ? 'sh bwrap' : name;
    return `${inner} ${commandName(args.slice(wrapped))}`;
  }
  return [name, args.find((arg) => /^[a-z][a-z-]*$/.test(arg))].filter(Boolean).join(' ');
}

export async function readCommands(folder: string, processId: number): Promise<Commands> {
  const text = await readFile(commandsFileOf(folder, processId), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Commands; // As preload.ts wrote it.
}

export function startedSince(before: Commands, after: Commands): Commands {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, count]) => {
      const more = count - (before[name] ?? 0);
      return more === 0 ? [] : [[name, more] as const];
    }),
  );
}
