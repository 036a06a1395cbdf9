/** This process's launcher: started with the first command, and again after it is lost. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExitStatus } from '../result.ts';
import type { FromLauncher, Launch, OutputStream, ToLauncher } from './protocol.ts';

export type Launched =
  | {
      readonly kind: 'launched';
      /** Signals the command's process group, unless the command has ended. */
      readonly signal: (signal: NodeJS.Signals) => void;
      /** `lost`: the launcher is gone. A command that writes to a file goes on without it. */
      readonly ended: Promise<LaunchEnd>;
    }
  | { readonly kind: 'not-launched'; readonly why: string }
  /** The launcher is gone, and it is unknown whether it started the command. */
  | { readonly kind: 'lost' };

export type LaunchEnd =
  | {
      readonly kind: 'exited';
      readonly status: Partial<ExitStatus>;
      /** Why its file lacks what it printed. */
      readonly whyNotWritten?: string | undefined;
    }
  | { readonly kind: 'lost' };

export interface Listener {
  /** Gets what does not go into a file. */
  onOutput?(stream: OutputStream, chunk: Uint8Array): void;
  /** The command has printed more than its file may hold. */
  onOverLimit?(): void;
}

interface Waiting {
  readonly listener: Listener;
  readonly launched: PromiseWithResolvers<Launched>;
  readonly ended: PromiseWithResolvers<LaunchEnd>;
}

interface Launcher {
  launch(launch: Launch, listener: Listener): Promise<Launched>;
}

let launcher: Launcher | undefined;

/** Starts a command in its own process group. */
export async function launch(wanted: Launch, listener: Listener = {}): Promise<Launched> {
  launcher ??= startLauncher(() => {
    launcher = undefined;
  });
  return launcher.launch(wanted, listener);
}

const LAUNCHER = fileURLToPath(new URL('launcher-process.ts', import.meta.url));

function startLauncher(onLost: () => void): Launcher {
  const waiting = new Map<number, Waiting>();
  // The launcher needs none of our environment or settings, and each command gets its own.
  const child = fork(LAUNCHER, [], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.unref();
  let lastId = 0;

  const end = () => {
    onLost();
    for (const { launched, ended } of waiting.values()) {
      launched.resolve({ kind: 'lost' });
      ended.resolve({ kind: 'lost' });
    }
    waiting.clear();
  };
  child.once('error', end).once('exit', end);
  child.on('message', (message) => {
    const answer = message as FromLauncher; // The other end of this channel is launcher-process.ts.
    const command = waiting.get(answer.id);
    if (command) handleAnswer(answer, command, say);
    if (answer.kind === 'exited' || answer.kind === 'not-launched') forget(answer.id);
  });
  stayAwake(false);

  /** This process may end while no command is awaited. */
  function stayAwake(isNeeded: boolean): void {
    if (isNeeded) child.channel?.ref();
    else child.channel?.unref();
  }

  function say(message: ToLauncher): void {
    if (child.connected) child.send(message, () => undefined);
  }

  function forget(id: number): void {
    waiting.delete(id);
    stayAwake(waiting.size > 0);
  }

  return {
    async launch(wanted, listener) {
      const id = (lastId += 1);
      const command = {
        listener,
        launched: Promise.withResolvers<Launched>(),
        ended: Promise.withResolvers<LaunchEnd>(),
      };
      waiting.set(id, command);
      stayAwake(true);
      say({ kind: 'launch', id, launch: wanted });
      return command.launched.promise;
    },
  };
}

function handleAnswer(answer: FromLauncher, command: Waiting, say: (message: ToLauncher) => void): void {
  const { launched, ended, listener } = command;
  switch (answer.kind) {
    case 'launched': {
      const signal = (sent: NodeJS.Signals) => {
        say({ kind: 'signal', id: answer.id, signal: sent });
      };
      launched.resolve({ kind: 'launched', signal, ended: ended.promise });
      return;
    }
    case 'not-launched':
      launched.resolve({ kind: 'not-launched', why: answer.why });
      ended.resolve({ kind: 'lost' });
      return;
    case 'output':
      listener.onOutput?.(answer.stream, answer.chunk);
      return;
    case 'over-limit':
      listener.onOverLimit?.();
      return;
    case 'exited':
      ended.resolve({ kind: 'exited', status: statusOf(answer), whyNotWritten: answer.whyNotWritten });
  }
}

function statusOf({ exitCode, signal }: Extract<FromLauncher, { kind: 'exited' }>): Partial<ExitStatus> {
  if (signal !== null) return { signal };
  return exitCode === null ? {} : { exitCode };
}
