/** Loaded first by the processes of a stack: counts the commands that their launchers start, in a file of their working directory. */
import childProcess, { type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { commandName, commandsFileOf } from './commands.ts';

const counts: Record<string, number> = {};

function count(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('launch' in message)) return;
  const { program, args } = message.launch as { readonly program: string; readonly args: readonly string[] }; // As launcher.ts sends it.
  const name = commandName([program, ...args]);
  counts[name] = (counts[name] ?? 0) + 1;
  writeFileSync(commandsFileOf('.', process.pid), JSON.stringify(counts));
}

function counting(child: ChildProcess): ChildProcess {
  const own = Reflect.get(child, 'send');
  child.send = new Proxy(own, {
    apply(send, self, sent: unknown[]) {
      count(sent[0]);
      return Reflect.apply(send, self, sent) as boolean;
    },
  });
  return child;
}

childProcess.fork = new Proxy(childProcess.fork, {
  apply: (fork, self, args: unknown[]) => counting(Reflect.apply(fork, self, args) as ChildProcess),
});
syncBuiltinESMExports();
