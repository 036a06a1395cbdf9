/** Questions to the person in front of the terminal. They appear on stderr, because stdout may go elsewhere. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { EXIT, ExitError } from '../exit-code.ts';
import type { World } from '../world.ts';

type Asking = Pick<World, 'stdin' | 'stderr' | 'signal'>;

/** The typed text is not shown. */
export async function askSecretly(world: Asking, question: string): Promise<string> {
  try {
    return await ask(world, question, new Writable({ write: (_piece, _encoding, done) => done() }));
  } finally {
    // The person's own line break was not shown either.
    world.stderr.write('\n');
  }
}

/** Anything but a yes is a no. */
export async function askYesOrNo(world: Asking, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await askText(world, `${question} [y/N] `));
}

/** Without spaces around it. */
export async function askText(world: Asking, question: string): Promise<string> {
  const echo = new Writable({
    write(piece: Buffer, _encoding, done) {
      world.stderr.write(piece.toString());
      done();
    },
  });
  return (await ask(world, question, echo)).trim();
}

/** Asks again after an answer that `read` refuses with wrong usage. Lines that were pasted answer one question after the other. */
export async function askUntilRight<T>(world: Asking, question: string, read: (text: string) => T): Promise<T> {
  for (;;) {
    const [line, ...others] = linesAhead.get(world.stdin) ?? [];
    if (line !== undefined) world.stderr.write(`${question}${line}\n`);
    linesAhead.set(world.stdin, others);
    const text = line?.trim() ?? (await askText(world, question));
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof ExitError) || error.exitCode !== EXIT.wrongUsage) throw error;
      world.stderr.write(`${error.message}\n`);
    }
  }
}

/** What came with the line that answered. No other question takes them: nobody says yes before it is asked. */
const linesAhead = new WeakMap<Asking['stdin'], readonly string[]>();

async function ask({ stdin, stderr, signal }: Asking, question: string, echo: Writable): Promise<string> {
  stderr.write(question);
  linesAhead.delete(stdin);
  const lines = createInterface({ input: stdin, output: echo, terminal: stdin.isTTY === true });
  try {
    return await new Promise<string>((resolve, reject) => {
      const leave = () => {
        reject(new ExitError(EXIT.interrupted, ''));
      };
      lines.once('line', (line) => {
        resolve(line);
        lines.on('line', (next) => linesAhead.set(stdin, [...(linesAhead.get(stdin) ?? []), next]));
      });
      lines.once('SIGINT', leave);
      lines.once('close', leave);
      signal.addEventListener('abort', leave, { once: true });
    });
  } finally {
    lines.close();
  }
}
