/** Webhooks that nobody signed and that never end: connections that hold all but the last byte of 24 MiB. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const AT_ONCE = 100;

/** GitHub's webhooks have at most 25 MB. */
const BODY_BYTES = 24 * 1024 * 1024;

const CHUNK = Buffer.alloc(64 * 1024, ' ');

/** A sender that was sent away comes back at once, but it must leave the machine something to measure with. */
const BACK_AFTER_MS = 100;

/** Keeps a hundred of them open until the signal. Resolves to how many were begun. */
export async function sendUnfinishedBodies(webhookUrl: string, signal: AbortSignal): Promise<number> {
  let begun = 0;
  const keepOneOpen = async () => {
    while (!signal.aborted) {
      begun += 1;
      await sendOne(new URL(webhookUrl), signal);
      await pause(BACK_AFTER_MS);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepOneOpen));
  return begun;
}

/** Resolves when the other side ends the connection, or at the signal. */
async function sendOne(url: URL, signal: AbortSignal): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  const closed = once(socket, 'close').catch(() => undefined);
  const end = () => socket.destroy();
  socket.on('error', end).on('end', end).resume();
  signal.addEventListener('abort', end, { once: true });
  socket.write(headersOf(url));
  for (let sent = 0; sent + CHUNK.length < BODY_BYTES && !socket.destroyed; sent += CHUNK.length)
    if (!socket.write(CHUNK)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
  await closed;
  signal.removeEventListener('abort', end);
}

function headersOf(url: URL): string {
  const lines = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    'Content-Type: application/json',
    'X-GitHub-Event: push',
    `X-GitHub-Delivery: ${randomUUID()}`,
    `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`,
    `Content-Length: ${BODY_BYTES}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
