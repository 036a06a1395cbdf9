import type { Diagnosis } from '@nereid/api';
import { whyNoWorkers } from '@nereid/domain/host';
import type { Verb } from '../verb.ts';
import type { Call } from '../../call.ts';
import { EXIT, ExitError } from '../../exit-code.ts';
import type { Piece } from '../../output/screen.ts';

type Outcome = Diagnosis['examined'][number]['outcome'];

export const doctor: Verb = {
  name: 'doctor',
  group: 'Look',
  summary: 'whether the console and the workers can work with their configuration, and how to fix it if not',
  details: [
    'For operators. It asks the console that runs; workers examine themselves every ten minutes. Gateways, and processes that do not start, have a doctor of their own: node apps/worker/src/doctor/main.ts.',
    'Its exit code is 1 when something failed.',
  ],
  isRemote: true,
  examples: [
    { command: 'nereid doctor', does: 'whether the console and the workers can work' },
    {
      command: 'nereid doctor --json | jq \'.examined[] | select(.outcome == "fail")\'',
      does: 'what failed',
    },
  ],
  async run(call) {
    const { json, value } = await ask(call);
    call.json(json);
    show(call, value.examined);
    for (const { id, roles, examined } of value.workers ?? []) {
      // What is well would fill the terminal of somebody who has twenty hosts.
      const toDo = examined.filter(isToDo);
      const verdict = toDo.length === 0 ? 'nothing to do' : 'to do:';
      call.screen.paragraph(`Worker ${id} (${roles.join(', ')}): ${verdict}`);
      if (toDo.length > 0) show(call, toDo);
    }
    const none = whyNoWorkers(value);
    if (none !== undefined) call.screen.paragraph(none);
    const areHealthy = !value.workersUnread && [value, ...(value.workers ?? [])].every(({ isHealthy }) => isHealthy);
    return areHealthy ? EXIT.done : EXIT.refused;
  },
};

type Examined = Diagnosis['examined'][number];

function isToDo({ outcome }: Examined): boolean {
  return outcome === 'fail' || outcome === 'warn';
}

/** What to do stands below each problem. */
function show(call: Call, examined: readonly Examined[]): void {
  call.screen.table(
    [{ title: 'OUTCOME' }, { title: 'CHECK' }, { title: 'FOUND', isFlexible: true, wraps: true }],
    examined.flatMap(({ name, outcome, found, remedy }) => [
      [OUTCOMES[outcome], name, found],
      ...(remedy === undefined ? [] : [['', '', `→ ${remedy}`]]),
    ]),
  );
}

/** To everybody else, the console says that there is no such page. */
async function ask(call: Call) {
  try {
    // It is one thing, which is not there for everybody, and not a list that a login opens.
    return await call.client().get('getDoctor', { parameters: {} });
  } catch (cause) {
    if (!(cause instanceof ExitError) || cause.exitCode !== EXIT.notFound) throw cause;
    throw new ExitError(
      EXIT.notFound,
      'expected you to be an operator, found that the console has no doctor for you; console.operators in its server’s file names operators',
      { cause },
    );
  }
}

const OUTCOMES: Readonly<Record<Outcome, Piece>> = {
  ok: { text: 'ok', style: 'green' },
  warn: { text: 'warn', style: 'yellow' },
  fail: { text: 'fail', style: 'red' },
  skip: { text: '-', style: 'dim' },
};
