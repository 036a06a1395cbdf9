/** Questions to the person in front of the terminal. They appear on stderr, because stdout may go elsewhere. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { EXIT, ExitError } from '../exit-code.ts';
import type { World } from '../world.ts';

type Asking = Pick<World, 'stdin' | 'stderr' | 'signal'>;

/** What is typed is not shown. */
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

async function ask({ stdin, stderr, signal }: Asking, question: string, echo: Writable): Promise<string> {
  stderr.write(question);
  const lines = createInterface({ input: stdin, output: echo, terminal: stdin.isTTY === true });
  try {
    return await new Promise<string>((resolve, reject) => {
      const leave = () => {
        reject(new ExitError(EXIT.interrupted, ''));
      };
      lines.once('line', resolve);
      lines.once('SIGINT', leave);
      lines.once('close', leave);
      signal.addEventListener('abort', leave, { once: true });
    });
  } finally {
    lines.close();
  }
}
