import { LANE_STATES } from '@nereid/api';
import type { Verb } from '../verb.ts';
import { parseLimit, parseRepository } from '../../arguments/names.ts';
import { EXIT } from '../../exit-code.ts';
import { shortSha, stateLook } from '../../output/looks.ts';
import { relativeTime } from '../../output/relative-time.ts';
import { LIMIT, noteEmpty, readList, REPOSITORY } from '../lists.ts';

export const lanes: Verb = {
  name: 'lanes',
  group: 'Look',
  summary: 'all lanes, by repository and root',
  isRemote: true,
  options: [
    REPOSITORY,
    { name: 'state', value: 'STATE', values: LANE_STATES, summary: 'only in this state' },
    {
      name: 'text',
      value: 'WORDS',
      summary: 'only with these words in names, in the title of the running deployment, or in its person',
    },
    LIMIT,
  ],
  examples: [
    { command: 'nereid lanes --state review', does: 'all plans that wait for a review' },
    { command: 'nereid lanes --repository acme/infra --json', does: 'a line of JSON for each lane' },
    { command: 'nereid lanes --json | jq -r "select(.lock) | .rootName"', does: 'the roots that are locked' },
  ],
  async run(call) {
    const { given, world, screen } = call;
    const repository = given.option('repository');
    if (repository !== undefined) parseRepository(repository);
    const query = { repository, state: given.option('state'), text: given.option('text') };
    const limit = given.option('limit');
    const found = await readList(call, call.client(), 'listLanes', {
      query,
      ...(limit !== undefined && { limit: parseLimit(limit) }),
    });
    noteEmpty(call, found, 'lanes');
    screen.table(
      [
        { title: 'LANE' },
        { title: 'STATE' },
        { title: 'SINCE' },
        { title: 'DEPLOYED' },
        { title: 'WHY', isFlexible: true },
      ],
      found.map(({ repository: of, rootName, state, since, deployed, sentence }) => [
        `${of}/${rootName}`,
        stateLook(state),
        since === undefined ? '' : relativeTime(since, world.now()),
        deployed === undefined ? '-' : shortSha(deployed.sha),
        sentence ?? '',
      ]),
    );
    return EXIT.done;
  },
};
