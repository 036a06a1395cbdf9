/** `nereid temporal replay --with`, as an operator runs it before the way back. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { until } from '../terrain.ts';

const REPLAY = path.join(import.meta.dirname, '../../../../worker/src/replay/main.ts');

const BROKEN = /^would break: (?<id>\S+) \(/;
/** It is the last line when the list is whole. */
const WHOLE = /^\d+ open workflows replayed: \d+ would break, 0 could not be fetched$/;

/** The open workflows that the code of the bundle would break. */
export async function replayWith(bundle: string, temporalAddress: string): Promise<readonly string[]> {
  let lines: readonly string[] = [];
  // Temporal may have been killed meanwhile.
  await until(
    'a list of the workflows that an earlier build breaks',
    async () => {
      lines = await run(bundle, temporalAddress);
      return WHOLE.test(lines.at(-1) ?? '');
    },
    () => lines.join('; '),
  );
  return lines.flatMap((line) => BROKEN.exec(line)?.groups?.['id'] ?? []);
}

function run(bundle: string, temporalAddress: string): Promise<readonly string[]> {
  const argv = ['--disable-warning=ExperimentalWarning', REPLAY, '--with', bundle];
  const env = { TEMPORAL_ADDRESS: temporalAddress };
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { env }, (_error, stdout, stderr) => {
      resolve(`${stderr}${stdout}`.split('\n').filter(Boolean));
    });
  });
}
