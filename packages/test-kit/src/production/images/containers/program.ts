/** What a program in a container prints, and how it is told to go on. */
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

/** Of the container with this name. */
export function programIn(engine: Engine, name: string): Program {
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
