/** What is needed of a running PostgreSQL without a client for it. */
import { hasErrorCode } from '@nereid/subprocess';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ANSWER_MS = 1_000;

/** Of the protocol between clients and PostgreSQL, 3.0. */
const PROTOCOL = 196_608;
const ASKS_FOR_AUTHENTICATION = 'R';

/** Whether the server on this port of 127.0.0.1 takes sessions of the user. While it recovers, it answers with an error. */
export async function takesSessions(port: number, user: string): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    await once(socket, 'connect', { signal });
    socket.write(startupMessage(user));
    const [answer] = (await once(socket, 'data', { signal })) as [Buffer];
    return answer.toString('latin1', 0, 1) === ASKS_FOR_AUTHENTICATION;
  } finally {
    socket.destroy();
  }
}

/** Its length, the version, names and values with a zero after each, and a zero. */
function startupMessage(user: string): Buffer {
  const parameters = Buffer.from(`user\0${user}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length, 0);
  head.writeInt32BE(PROTOCOL, 4);
  return Buffer.concat([head, parameters]);
}

/** They end by themselves when their server is gone, but a busy one later. */
const DEADLINE_MS = 10_000;
const PAUSE_MS = 5;

/** Kills the server and then its sessions, each of which leads a process group of its own. Resolves when all are gone. */
export async function killWithSessions(dataFolder: string, kill: () => Promise<void>): Promise<void> {
  const sessions = await sessionsOf(dataFolder);
  await kill();
  const deadline = performance.now() + DEADLINE_MS;
  while (sessions.filter((pid) => killed(pid)).length > 0 && performance.now() < deadline) await pause(PAUSE_MS);
}

/** The first line of `postmaster.pid` has the process; there is none once it has ended. */
async function sessionsOf(dataFolder: string): Promise<readonly number[]> {
  const [pid = ''] = (await readFile(path.join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children
    .split(' ')
    .map(Number)
    .filter((child) => child > 0);
}

/** Whether there was such a process. */
function killed(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ESRCH')) return false;
    throw error;
  }
}
