/** Connections that begin a request and never finish its headers, twice as many as the gateway keeps open. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const AT_ONCE = 2_000;

/** One that was cut off comes back, but the machine must have something left to measure with: 2,000 a second at most. */
const BACK_AFTER_MS = 1_000;

/** Keeps them open until the signal. Resolves to how many were begun. */
export async function keepSilentConnections(webhookUrl: string, signal: AbortSignal): Promise<number> {
  const url = new URL(webhookUrl);
  let begun = 0;
  const keepOneOpen = async () => {
    while (!signal.aborted) {
      begun += 1;
      const socket = connect(Number(url.port), url.hostname);
      const end = () => socket.destroy();
      socket.on('error', end).on('end', end).resume();
      socket.write(`POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nX-GitHub-`);
      await once(socket, 'close', { signal }).catch(end);
      await pause(BACK_AFTER_MS);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepOneOpen));
  return begun;
}
