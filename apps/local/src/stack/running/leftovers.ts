import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Enough for thousands of processes with long arguments. */
const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;

/** The processes with the folder in their arguments: Temporal names its database, Terraform's supervisors name their files. */
export async function leftovers(folder: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,args='], { maxBuffer: OUTPUT_LIMIT_BYTES });
  return stdout.split('\n').filter((line) => namesFolder(line, folder));
}

/** Whether the folder, or something in it, is in the line. A neighbour whose name begins with its name is another one. */
export function namesFolder(line: string, folder: string): boolean {
  const [, ...behind] = line.split(folder);
  return behind.some((rest) => !/^[\w.-]/.test(rest));
}
