/** What dies with a machine: its workers, and every Terraform that they started. */
import { hasErrorCode } from '@nereid/subprocess';
import { leftovers } from '../stack/leftovers.ts';
import type { Stack } from '../stack/stack.ts';

export async function killMachine(stack: Stack): Promise<void> {
  await Promise.all([stack.kill('worker'), stack.kill('worker-2')]);
  await killLeftovers(stack);
}

/** SIGKILL to every Terraform and whatever else of deployments still runs. */
export async function killLeftovers({ folders }: Stack): Promise<void> {
  for (const line of await leftovers(folders.work)) {
    try {
      process.kill(Number.parseInt(line, 10), 'SIGKILL');
    } catch (error) {
      // It ended by itself meanwhile.
      if (!hasErrorCode(error, 'ESRCH')) throw error;
    }
  }
}
