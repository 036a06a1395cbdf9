/** The people at GitHub, who are a program in the container of its stand-in. */
import { REPOSITORY } from '../../../repository.ts';
import type { Engine } from '../engine.ts';
import { RESOURCES } from './operator-files.ts';
import { programIn } from './program.ts';

export interface People {
  /** Has the person who makes single changes go on, and waits for the line with which they say that they have reached something. */
  goOn(reached: string): Promise<string>;
  /** Has some others merge and confirm, one change after another, until they are told to stop. */
  beginMerges(): Promise<void>;
  endMerges(): Promise<void>;
  /** Which of these merges have succeeded, like `load-1 3`. Throws where one failed. */
  merged(): Promise<readonly string[]>;
  /** All of them, when they have stopped. Throws while they have not. */
  allMerged(): Promise<readonly string[]>;
}

export interface Place {
  /** Of the container whose network it shares. */
  readonly network: string;
  /** The folder of the App's key and the secret of webhooks. */
  readonly keys: string;
  /** The gateway, as GitHub finds it there. */
  readonly gatewayUrl: string;
}

const PORT = '4500';

/** In the worker's image, which has git. */
export async function startPeople(engine: Engine, { network, keys, gatewayUrl }: Place): Promise<People> {
  const files = ['--volume', `${REPOSITORY}:/repository:ro`, '--volume', `${keys}:/keys:ro`];
  const own = ['--detach', '--name', 'github', '--no-healthcheck', '--entrypoint', 'node', '--network'];
  const program = '/repository/packages/test-kit/src/production/images/containers/fixtures/github.ts';
  const args = [program, PORT, `${gatewayUrl}/events`, RESOURCES];
  await engine.docker(['run', ...own, `container:${network}`, ...files, 'nereid-worker', ...args]);

  const { goOn, says, said, signal } = programIn(engine, 'github');
  const merged = async () => (await said()).flatMap((line) => /^merged (.+)$/.exec(line)?.[1] ?? []);

  await says('ready');
  return {
    goOn,
    async beginMerges() {
      await signal('HUP');
      await says('merged');
    },
    endMerges: () => signal('HUP'),
    merged,
    async allMerged() {
      const lines = await said();
      if (!lines.includes('all merged')) throw new Error(`found: ${lines.join(', ')}`);
      return merged();
    },
  };
}
