import type { Diagnosis } from '@nereid/api';
import type { Verb } from '../../arguments/verb.ts';
import { EXIT } from '../../exit-code.ts';
import type { Piece } from '../../output/screen.ts';

type Outcome = Diagnosis['examined'][number]['outcome'];

export const doctor: Verb = {
  name: 'doctor',
  group: 'Look',
  summary: 'what the console works with, whether it can, and what to do',
  details: [
    'For operators. It asks the console that runs; gateway, workers and a console that does not start have a doctor of their own: node apps/worker/src/doctor/main.ts.',
    'It ends with 1 when something failed.',
  ],
  isRemote: true,
  examples: [
    { command: 'nereid doctor', does: 'whether the console reaches Temporal and storage' },
    {
      command: 'nereid doctor --json | jq \'.examined[] | select(.outcome == "fail")\'',
      does: 'what failed',
    },
  ],
  async run(call) {
    const { json, value } = await call.client().get('getDoctor');
    call.json(json);
    call.screen.table(
      [{ title: 'OUTCOME' }, { title: 'CHECK' }, { title: 'FOUND', isFlexible: true }],
      value.examined.map(({ name, outcome, found }) => [OUTCOMES[outcome], name, found]),
    );
    for (const { name, remedy } of value.examined)
      if (remedy !== undefined) call.screen.paragraph(`${name}: ${remedy}`);
    return value.isHealthy ? EXIT.done : EXIT.refused;
  },
};

const OUTCOMES: Readonly<Record<Outcome, Piece>> = {
  ok: { text: 'ok', style: 'green' },
  warn: { text: 'warn', style: 'yellow' },
  fail: { text: 'fail', style: 'red' },
  skip: { text: '-', style: 'dim' },
};
