/** A program of the repository's fixtures in a container: it goes on when it is told to, and prints lines that say what is reached. */
import { REPOSITORY } from '../../repository.ts';
import type { Engine } from '../engine.ts';
import { until } from './until.ts';

export interface Program {
  /** Has it go on, and waits for a line that begins so. */
  readonly goOn: (reached: string) => Promise<string>;
  /** Waits for a line that begins so. */
  readonly says: (beginning: string) => Promise<string>;
  /** Every line so far. Throws where one says that something failed. */
  readonly said: () => Promise<readonly string[]>;
  readonly signal: (name: string) => Promise<void>;
}

export interface Place {
  readonly name: string;
  /** Of the container whose network it shares. */
  readonly network: string;
  /** The folder of the App's key and the secret of webhooks. */
  readonly keys: string;
}

const FIXTURES = '/repository/packages/test-kit/src/production/images/containers/fixtures';

/** In the worker's image, which has git. Resolves when it says that it is ready. */
export async function startProgram(
  engine: Engine,
  { name, network, keys }: Place,
  fixture: string,
  args: readonly string[],
): Promise<Program> {
  const files = ['--volume', `${REPOSITORY}:/repository:ro`, '--volume', `${keys}:/keys:ro`];
  const own = ['--detach', '--name', name, '--no-healthcheck', '--entrypoint', 'node'];
  const shared = ['--network', `container:${network}`];
  await engine.docker(['run', ...own, ...shared, ...files, 'nereid-worker', `${FIXTURES}/${fixture}`, ...args]);

  const said = async () => {
    const lines = (await engine.docker(['logs', name])).split('\n');
    const failed = lines.find((line) => line.startsWith('failed'));
    if (failed !== undefined) throw new Error(failed);
    return lines;
  };
  const says = (beginning: string) =>
    until(`the container ${name} to say ${beginning}`, async () => {
      const lines = await said();
      const found = lines.find((line) => line.startsWith(beginning));
      if (found === undefined) throw new Error(`found: ${lines.join(', ')}`);
      return found;
    });
  const signal = async (sent: string) => {
    await engine.docker(['kill', '--signal', sent, name]);
  };
  await says('ready');
  return {
    async goOn(reached) {
      await signal('USR2');
      return says(reached);
    },
    says,
    said,
    signal,
  };
}
