import type { StopList } from '@nereid/api';
import { describeForgedStops, describeStopSubject, UNVERIFIED_STOPS } from '@nereid/domain/gates';
import type { Verb } from '../verb.ts';
import { EXIT } from '../../exit-code.ts';
import { relativeTime } from '../../output/relative-time.ts';
import { noteEmpty } from '../lists.ts';

export const stops: Verb = {
  name: 'stops',
  group: 'Look',
  summary: 'who has stopped what, why, and until when',
  details: ['Of single repositories, it lists those that you may read. nereid thaw ends a stop.'],
  isRemote: true,
  examples: [
    { command: 'nereid stops', does: 'all repositories and pools first, then repositories' },
    { command: 'nereid stops --json | jq -r .until', does: 'when they end by themselves' },
  ],
  async run(call) {
    const { json, value } = await call.client().get('listStops');
    const { items } = json as { readonly items: readonly unknown[] }; // It was parsed as the same.
    for (const one of items) call.json(one);
    for (const text of warningsOf(value)) call.notes.line({ text, style: 'yellow' });
    if (!value.areUnreadable) noteEmpty(call, value.items, 'stops');
    call.screen.table(
      [{ title: 'WHAT' }, { title: 'BY' }, { title: 'SINCE' }, { title: 'ENDS' }, { title: 'WHY', isFlexible: true }],
      value.items.map((stop) => {
        const ago = (at: string) => relativeTime(at, call.world.now());
        return [describeStopSubject(stop), `@${stop.by}`, ago(stop.at), ago(stop.until), stop.reason];
      }),
    );
    return EXIT.done;
  },
};

function warningsOf({ items, areUnreadable, areUnverified, forged = 0 }: StopList): readonly string[] {
  return [
    ...(areUnreadable ? [UNREADABLE] : []),
    ...(areUnverified && items.length > 0 ? [UNVERIFIED_STOPS] : []),
    ...(forged > 0 ? [describeForgedStops(forged)] : []),
  ];
}

const UNREADABLE =
  'The record of stops of pools is broken, so nothing begins anywhere: nereid thaw --all replaces it, and ends all stops in it.';
