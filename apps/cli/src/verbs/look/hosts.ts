import type { HostList, HostSummary } from '@nereid/api';
import type { Verb } from '../verb.ts';
import { EXIT } from '../../exit-code.ts';
import { stateLook } from '../../output/looks.ts';
import { relativeTime } from '../../output/relative-time.ts';
import { noteEmpty } from '../lists.ts';

export const hosts: Verb = {
  name: 'hosts',
  group: 'Look',
  summary: 'hosts with their slots, those that are away first',
  details: [
    'With --json, hosts that were stopped and that do not take work when they start again come last, without a state.',
  ],
  isRemote: true,
  examples: [
    { command: 'nereid hosts', does: 'who runs Terraform, and how busy it is' },
    {
      command: 'nereid hosts --json | jq -r \'select(.state == "away") | .id\'',
      does: 'hosts that have been silent for a minute',
    },
  ],
  async run(call) {
    const { json, value } = await call.client().get('listHosts');
    const raw = json as Record<keyof HostList, readonly unknown[]>; // It was parsed as the same.
    for (const one of [...raw.items, ...raw.stopped]) call.json(one);
    noteEmpty(call, [...value.items, ...value.stopped], 'hosts');
    const ago = (at: string) => relativeTime(at, call.world.now());
    call.screen.table(
      [
        ...[{ title: 'HOST' }, { title: 'POOL' }, { title: 'STATE' }, { title: 'SLOTS' }, { title: 'RELEASE' }],
        ...[{ title: 'HEARD OF' }, { title: 'RUNS', isFlexible: true as const }],
        { title: 'DRAINED', isFlexible: true },
      ],
      value.items.map(({ id, pool, state, slots, runs = [], release, at, drain }) => [
        ...[id, pool, stateLook(state), `${slots.used}/${slots.total}`, release ?? '', ago(at)],
        runs.map(({ rootName }) => rootName).join(', '),
        drainText(drain, ago),
      ]),
    );
    for (const { id, drain } of value.stopped)
      call.screen.line(`${id} was stopped, and takes no work when it starts again: drained ${drainText(drain, ago)}`);
    return EXIT.done;
  },
};

function drainText(drain: HostSummary['drain'], ago: (at: string) => string): string {
  return drain === undefined ? '' : `by @${drain.by}, ${ago(drain.at)}`;
}
