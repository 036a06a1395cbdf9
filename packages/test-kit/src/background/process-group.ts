import { parseProcessStat, signalGroupOf } from '@nereid/subprocess';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of a gigabyte takes a tenth of a second to die. */
const DEADLINE_MS = 10_000;
const PAUSE_MS = 5;

/** Resolves when the processes of a killed group have left their ports and files, which takes longer than to be killed. */
export async function groupIsGone(leader: number): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (signalGroupOf(leader, 0) && !(await hasOnlyZombies(leader)) && performance.now() < deadline) {
    await sleep(PAUSE_MS);
  }
}

/** Nobody may collect zombies: in a container, the first process is often a program that knows nothing of them. */
async function hasOnlyZombies(leader: number): Promise<boolean> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  const members = stats.map(parseProcessStat).filter(({ processGroup }) => processGroup === leader);
  return members.length > 0 && members.every(({ isZombie }) => isZombie);
}
