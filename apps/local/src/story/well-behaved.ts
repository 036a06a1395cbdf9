/** The conditions that must hold at the end, whatever happened. */
import { readFile } from 'node:fs/promises';
import type { Folders } from '../stack/folders.ts';
import { APP_NAMES, logFileOf, type AppName } from '../stack/processes.ts';
import { expected } from './failure.ts';
import { requireNoForgeries } from './no-forgeries.ts';
import type { Step } from './step.ts';

export const wellBehaved: readonly Step[] = [
  {
    title: 'GitHub would have refused no request',
    async play({ github }) {
      await github.settled();
      github.assertNoRefusedRequests();
    },
  },
  {
    title: 'no workflow failed',
    async play({ workflows }) {
      const failed = await workflows.failed();
      if (failed.length > 0) throw expected('no failed workflow', failed);
    },
  },
  {
    title: 'nothing counted as forged',
    play: ({ stack }) => requireNoForgeries(stack),
  },
  {
    title: 'each line of a log is one JSON record',
    async play({ stack }) {
      const others = await Promise.all(APP_NAMES.map((name) => linesWithoutRecord(stack.folders, name)));
      if (others.flat().length > 0) throw expected('only JSON records', others.flat());
    },
  },
];

async function linesWithoutRecord(folders: Folders, name: AppName): Promise<readonly string[]> {
  // The last line may be half written.
  const lines = (await readFile(logFileOf(folders, name), 'utf8')).split('\n').slice(0, -1);
  return lines.filter((line) => !isRecord(line)).map((line) => `${name}: ${line}`);
}

function isRecord(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
