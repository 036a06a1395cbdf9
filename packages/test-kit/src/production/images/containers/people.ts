/** The people at GitHub, who are a program in the container of its stand-in. */
import type { Engine } from '../engine.ts';
import { RESOURCES } from './operator-files.ts';
import { startProgram, type Place } from './program.ts';

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

export interface PeoplesPlace extends Omit<Place, 'name'> {
  /** The gateway, as GitHub finds it there. */
  readonly gatewayUrl: string;
}

const PORT = '4500';

export async function startPeople(engine: Engine, { gatewayUrl, ...place }: PeoplesPlace): Promise<People> {
  const args = [PORT, `${gatewayUrl}/events`, RESOURCES];
  const { goOn, says, said, signal } = await startProgram(engine, { ...place, name: 'github' }, 'github.ts', args);
  const merged = async () => (await said()).flatMap((line) => /^merged (.+)$/.exec(line)?.[1] ?? []);
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
