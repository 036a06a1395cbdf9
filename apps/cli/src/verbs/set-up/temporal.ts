import type { Verb } from '../verb.ts';

/** A person waits, who may have typed a wrong address. One that starts takes longer, and is asked again. */
const ANSWER_MS = 20_000;

export const temporal: Verb = {
  name: 'temporal',
  group: 'Set up',
  summary: 'make the namespace and the search attributes of Nereid in a Temporal server',
  details: [
    "It reads Temporal's own variables, TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE among them, makes what is not there yet, sets the retention to 30 days, and says what it did. It waits 20 s for a server that does not answer, and may be run again at any time.",
  ],
  arguments: [{ name: 'WHAT', values: ['setup'] }],
  examples: [
    {
      command: 'nereid temporal setup',
      does: 'before the first start, with the credentials of an administrator',
    },
  ],
  async run({ world, screen, notes }) {
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
