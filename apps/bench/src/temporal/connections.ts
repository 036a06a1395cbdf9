/** Connections that stay open, on each of which one request is under way. Cheaper than Node's client, whose work would count as the server's. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Connections extends Disposable {
  /** Waits for a connection that is free. Returns the status of the answer. */
  request(bytes: Buffer): Promise<number>;
}

export async function openConnections(port: number, count: number): Promise<Connections> {
  const free = await Promise.all(Array.from({ length: count }, () => open(port)));
  const silentSince = new Map(free.map((socket) => [socket, performance.now()]));
  const waiting: ((socket: Socket) => void)[] = [];
  const acquireSocket = () => {
    const socket = free.pop();
    return socket ? Promise.resolve(socket) : new Promise<Socket>((resolve) => waiting.push(resolve));
  };
  const giveBack = (socket: Socket) => {
    silentSince.set(socket, performance.now());
    const next = waiting.shift();
    if (next) next(socket);
    else free.push(socket);
  };
  const lively = async (socket: Socket) => {
    if (!socket.destroyed && performance.now() - (silentSince.get(socket) ?? 0) < SILENT_MS) return socket;
    socket.destroy();
    silentSince.delete(socket);
    const another = await open(port);
    silentSince.set(another, performance.now());
    return another;
  };
  return {
    async request(bytes) {
      const socket = await lively(await acquireSocket());
      socket.write(bytes);
      const status = await readStatus(socket);
      giveBack(socket);
      return status;
    },
    [Symbol.dispose]: () => {
      for (const socket of silentSince.keys()) socket.destroy();
    },
  };
}

/** The gateway closes connections that were silent for seconds. */
const SILENT_MS = 1_000;

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => undefined); // A close follows.
  return socket;
}

const HEAD_ENDS = '\r\n\r\n';

/** Reads the answer to its end, which its length tells. */
function readStatus(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const bodyAt = text.indexOf(HEAD_ENDS) + HEAD_ENDS.length;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
      if (bodyAt < HEAD_ENDS.length || text.length < bodyAt + length) return;
      end();
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]));
    };
    const onClose = () => {
      end();
      reject(new Error(`expected an answer, found the end of the connection after ${JSON.stringify(text)}`));
    };
    const end = () => {
      socket.off('data', onData).off('close', onClose).off('error', onClose);
    };
    socket.on('data', onData).on('close', onClose).on('error', onClose);
  });
}
