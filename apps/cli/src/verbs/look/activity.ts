import type { Verb } from '../verb.ts';
import { parseLimit, parseRepository, parseTimeOrDay } from '../../arguments/names.ts';
import { EXIT } from '../../exit-code.ts';
import { relativeTime } from '../../output/relative-time.ts';
import { LIMIT, noteEmpty, readList, REPOSITORY } from '../lists.ts';

/** A screen or two. */
const SHOWN = 50;

export const activity: Verb = {
  name: 'activity',
  group: 'Look',
  summary: 'the audit trail, the latest event first',
  isRemote: true,
  options: [
    REPOSITORY,
    { name: 'root', value: 'ROOT', summary: 'only of this root' },
    { name: 'person', value: 'LOGIN', summary: 'only what this person did or confirmed' },
    { name: 'action', value: 'ACTION', summary: 'only this action, like apply, confirm or unlock' },
    { name: 'from', value: 'TIME', summary: 'not before a time like 2026-11-22T12:00:00Z, or a day (UTC)' },
    { name: 'to', value: 'TIME', summary: 'only before such a time, or to the end of a day' },
    { ...LIMIT, summary: `${LIMIT.summary} (${SHOWN})` },
  ],
  examples: [
    { command: 'nereid activity --person alice --action confirm', does: 'what alice confirmed' },
    { command: 'nereid activity --from 2026-11-22 --limit 1000 --json', does: 'since that day, a line of JSON each' },
  ],
  async run(call) {
    const { given, screen, world } = call;
    const repository = given.option('repository');
    if (repository !== undefined) parseRepository(repository);
    const time = (name: string) => {
      const typed = given.option(name);
      return typed === undefined ? undefined : parseTimeOrDay(typed, name);
    };
    const query = {
      ...{ repository, root: given.option('root'), person: given.option('person'), action: given.option('action') },
      ...{ from: time('from'), to: time('to') },
    };
    const limit = parseLimit(given.option('limit') ?? String(SHOWN));
    const missing: true[] = [];
    const onMissing = () => void missing.push(true);
    const found = await readList(call, call.client(), 'listActivity', { query, limit, onMissing });
    noteEmpty(call, found, 'events');
    screen.table(
      [{ title: 'WHEN' }, { title: 'WHO' }, { title: 'REPOSITORY' }, { title: 'WHAT', isFlexible: true }],
      found.map(({ at, person, repository: of, sentence }) => [
        { text: relativeTime(at, world.now()), style: 'dim' },
        person ?? '',
        of ?? '',
        sentence,
      ]),
    );
    return missing.length === 0 ? EXIT.done : EXIT.notNow;
  },
};
