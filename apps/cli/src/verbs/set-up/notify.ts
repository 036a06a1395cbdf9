import { wrongUsage } from '../../exit-code.ts';
import type { Verb } from '../verb.ts';
import { runOfWorker } from './run-of-worker.ts';

export const notify: Verb = {
  name: 'notify',
  group: 'Set up',
  summary: 'test whether a destination takes notifications, or have refused ones sent again',
  details: [
    "For operators, in a clone or in the image of a worker, with the environment of a control worker: it reads the server's file and the secrets of its destinations.",
    'test sends a sample and says what came back.',
    'retry has the notifications sent again that the destination refused, and ends its pause.',
    'status says of each destination what waits, and what it took or refused last.',
  ],
  arguments: [
    { name: 'WHAT', values: ['test', 'retry', 'status'] },
    { name: 'NAME', isOptional: true },
  ],
  examples: [
    { command: 'nereid notify test deploys', does: 'whether a sample arrives' },
    { command: 'nereid notify status', does: 'how all destinations are doing' },
  ],
  async run({ given, world }) {
    const what = given.argument('WHAT');
    const [name] = given.all('NAME');
    if (what !== 'status' && name === undefined) throw wrongUsage('expected the NAME of a destination, found none');
    const args = name === undefined ? [what] : [what, name];
    return runOfWorker('notifications', args, world, 'whose worker delivers notifications');
  },
};
