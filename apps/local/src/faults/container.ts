/**
 * The worker as its container runs it: init.sh is the first process of a namespace of processes, and when it ends, the kernel kills
 * all that is left there.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Stack } from '../stack/stack.ts';

const INIT = path.join(import.meta.dirname, '../../../worker/src/container/init.sh');

/** Only root needs no namespace of users for it. */
const AS_ROOT = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];

/** `unshare` passes no signal on, as an engine does. */
const ENGINE = `
unshare "$@" &
outer=$!
trap 'read -r first _ </proc/$outer/task/$outer/children; kill -s TERM "$first"' TERM
code=143
while kill -s 0 "$outer" 2>/dev/null; do
  wait "$outer"
  code=$?
done
exit "$code"
`;

/** The beginning of the command line of a process that is to run in a container. */
export const CONTAINER: readonly [string, ...string[]] = [
  ...(['/bin/sh', '-c', ENGINE, 'engine', ...AS_ROOT] as const),
  ...['--pid', '--fork', '--mount-proc', '--kill-child', '/bin/sh', INIT],
];

/** The pids of the first worker's node, and of the first process of its container. */
export async function pidsOf({ folders }: Stack): Promise<{ readonly node: number; readonly init: number }> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [argv, env] = await Promise.all([wordsOf(pid, 'cmdline'), wordsOf(pid, 'environ')]);
    if (argv[0] !== process.execPath || !argv.some((word) => word.endsWith('worker/src/main.ts'))) continue;
    if (!env.includes(`DATA_DIR=${folders.data}`)) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return { node: Number(pid), init: Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]) };
  }
  throw new Error('expected a worker, found none');
}

/** None of a process that is gone, or somebody else's. */
async function wordsOf(pid: string, file: 'cmdline' | 'environ'): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  return text.split('\0');
}
