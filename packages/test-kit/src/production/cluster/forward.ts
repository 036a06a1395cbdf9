import { once } from 'node:events';
import { connect, createServer } from 'node:net';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Passes connections on to an address that only this machine reaches. */
export async function forward(from: Address, to: Address): Promise<Disposable> {
  const server = createServer((here) => {
    const there = connect(to);
    here.on('error', () => there.destroy());
    there.on('error', () => here.destroy());
    here.pipe(there).pipe(here);
  });
  server.listen(from);
  await once(server, 'listening');
  return {
    // Connections end with one of their ends.
    [Symbol.dispose]: () => {
      server.close();
    },
  };
}
