/** A stop of all repositories or of a pool is named by an option, in place of a repository. */
import type { ConsoleAction } from '@nereid/domain/actions';
import { ALL_POOLS } from '@nereid/domain/gates';
import type { Given } from '../../arguments/parse-arguments.ts';
import type { Call } from '../../call.ts';
import type { Client } from '../../client/client.ts';
import { EXIT, wrongUsage } from '../../exit-code.ts';

export const POOL_OPTIONS = ['all', 'pool'];

export const POOL = {
  isNamed: (given: Given) => given.has('all') || given.option('pool') !== undefined,
  arguments: [],
  options: [
    { name: 'all', summary: 'all repositories, in place of OWNER/NAME; for operators' },
    {
      name: 'pool',
      value: 'NAME',
      summary: 'all roots that run in this pool of hosts, in place of OWNER/NAME; for operators',
    },
  ],
  details: [],
  find({ given }: Call, _client: Client, [action = 'stop_pool']: readonly ConsoleAction[]) {
    const name = given.option('pool');
    if (given.has('all') && name !== undefined) throw wrongUsage('expected --all or --pool, found both');
    const terms = () => ({ for: given.argument('FOR'), reason: given.argument('REASON') });
    return Promise.resolve({
      action,
      place: { parameters: { pool: name ?? ALL_POOLS }, body: action === 'stop_pool' ? terms() : {} },
      waitForEnd: () => Promise.resolve(EXIT.done),
    });
  },
};
