import { DEPLOYMENT_STATUSES } from '@nereid/domain/deployment';
import type { Verb } from '../verb.ts';
import { parseLimit, parseRepository } from '../../arguments/names.ts';
import { EXIT } from '../../exit-code.ts';
import { showDeployments } from '../../show/deployments-table.ts';
import { LIMIT, noteEmpty, readList, REPOSITORY } from '../lists.ts';

/** A screen or two. */
const SHOWN = 50;

export const deployments: Verb = {
  name: 'deployments',
  group: 'Look',
  summary: 'all deployments: those that wait or run, then those that ended',
  isRemote: true,
  options: [
    REPOSITORY,
    { name: 'root', value: 'ROOT', summary: 'only of this root' },
    { name: 'status', value: 'STATUS', values: DEPLOYMENT_STATUSES, summary: 'only with this status' },
    { name: 'person', value: 'LOGIN', summary: 'only those that this person asked for' },
    { ...LIMIT, summary: `${LIMIT.summary} (${SHOWN})` },
  ],
  examples: [
    { command: 'nereid deployments --repository acme/infra --root network', does: 'those of one lane' },
    {
      command: 'nereid deployments --status apply-failed --limit 5',
      does: 'the last five that failed while they applied',
    },
  ],
  async run(call) {
    const { given } = call;
    const repository = given.option('repository');
    if (repository !== undefined) parseRepository(repository);
    const query = {
      repository,
      root: given.option('root'),
      status: given.option('status'),
      person: given.option('person'),
    };
    const limit = parseLimit(given.option('limit') ?? String(SHOWN));
    const found = await readList(call, call.client(), 'listDeployments', { query, limit });
    noteEmpty(call, found, 'deployments');
    showDeployments(call, found);
    return EXIT.done;
  },
};
