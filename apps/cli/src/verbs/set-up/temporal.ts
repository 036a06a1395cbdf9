import { defined } from '@nereid/domain/defined';
import { wrongUsage } from '../../exit-code.ts';
import type { Verb } from '../verb.ts';
import { runOfWorker } from './run-of-worker.ts';

/** A person waits, who may have typed a wrong address. One that starts takes longer, and is asked again. */
const ANSWER_MS = 20_000;

export const temporal: Verb = {
  name: 'temporal',
  group: 'Set up',
  summary: 'set up a Temporal server for Nereid, or replay open workflows before an upgrade',
  details: [
    "setup reads Temporal's own variables, TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE among them, makes what is not there yet, sets the retention to 30 days, and says what it did. It waits 20 s for a server that does not answer, and may be run again at any time.",
    'replay replays the histories of all open workflows with the workflow code of this clone, and lists those that it would break: they would be stuck after an upgrade. It changes nothing. With sealed content, it needs PAYLOAD_KEY.',
  ],
  arguments: [{ name: 'WHAT', values: ['setup', 'replay'] }],
  options: [
    {
      name: 'with',
      value: 'PATH',
      summary: 'replay: the workflow bundle of another build, or a folder with the files of its image',
    },
    { name: 'within', value: 'TIME', summary: 'replay: begin no workflow after a time like 90s or 1h (10m)' },
  ],
  examples: [
    {
      command: 'nereid temporal setup',
      does: 'before the first start, with the credentials of an administrator',
    },
    {
      command: 'nereid temporal replay',
      does: 'before an upgrade to this commit; exit code 1: a workflow would break',
    },
  ],
  async run({ given, world, screen, notes }) {
    const options = defined({ with: given.option('with'), within: given.option('within') });
    if (given.argument('WHAT') === 'replay') {
      const args = Object.entries(options).flatMap(([name, value]: [string, string]) => [`--${name}`, value]);
      return runOfWorker('replay', args, world, 'whose workflow code is replayed');
    }
    const [option] = Object.keys(options);
    if (option !== undefined) throw wrongUsage(`--${option} is for replay alone`);
    // It speaks gRPC, which takes longer to load than the rest.
    const { setUpTemporal } = await import('@nereid/temporal/set-up');
    return setUpTemporal(world.env, {
      answerMs: ANSWER_MS,
      signal: world.signal,
      print: (line) => screen.line(line),
      warn: (line) => notes.line(line),
    });
  },
};
