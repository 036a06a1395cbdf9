/** Kills everything that dies with a machine: its workers, and every Terraform that they started. */
import { hasErrorCode } from '@nereid/subprocess';
import { leftovers } from '../stack/running/leftovers.ts';
import type { Stack } from '../stack/stack.ts';

export async function killMachine(stack: Stack): Promise<void> {
  await Promise.all([stack.kill('worker'), stack.kill('worker-2')]);
  await killLeftovers(stack);
}

/** Sends SIGKILL to every process of deployments that still runs, such as Terraform, and to the rest of its process group. */
export async function killLeftovers({ folders }: Stack): Promise<void> {
  for (const line of await leftovers(folders.work)) {
    const pid = Number.parseInt(line, 10);
    kill(-pid);
    kill(pid);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The process has ended by itself, or leads no group.
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}
