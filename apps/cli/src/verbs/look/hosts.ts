import type { Verb } from '../../arguments/verb.ts';
import { EXIT } from '../../exit-code.ts';
import { stateLook } from '../../output/looks.ts';
import { relativeTime } from '../../output/relative-time.ts';
import { readList } from '../lists.ts';

export const hosts: Verb = {
  name: 'hosts',
  group: 'Look',
  summary: 'hosts with their slots, those that are away first',
  isRemote: true,
  examples: [
    { command: 'nereid hosts', does: 'who runs Terraform, and how busy it is' },
    {
      command: 'nereid hosts --json | jq -r \'select(.state == "away") | .id\'',
      does: 'hosts that nobody heard of for a minute',
    },
  ],
  async run(call) {
    const found = await readList(call, call.client(), 'listHosts', {});
    call.screen.table(
      [
        { title: 'HOST', isFlexible: true },
        { title: 'POOL' },
        { title: 'STATE' },
        { title: 'SLOTS' },
        { title: 'RELEASE' },
        { title: 'HEARD OF' },
      ],
      found.map(({ id, pool, state, slots, release, at }) => [
        ...[id, pool, stateLook(state), `${slots.used}/${slots.total}`],
        ...[release ?? '', relativeTime(at, call.world.now())],
      ]),
    );
    return EXIT.done;
  },
};
