import type { ActionName } from '@nereid/api';
import { TIMEOUT } from '../../arguments/verb-description.ts';
import type { Call } from '../../call.ts';
import type { Client } from '../../client/client.ts';
import { EXIT, ExitError, wrongUsage, type ExitCode } from '../../exit-code.ts';
import { ANSWER_MS, GOES_ON, showAnswer } from './act.ts';
import type { Verb } from '../verb.ts';

const HOST = 'HOST';
const DETAILS = 'HOST is the id of a host, or the beginning of one. Only operators may.';

export const drain: Verb = {
  name: 'drain',
  group: 'Act',
  summary: 'let a host take no more work, until it is resumed',
  details: [DETAILS],
  isRemote: true,
  arguments: [{ name: HOST }],
  options: [TIMEOUT],
  examples: [
    {
      command: 'nereid drain fc835ae8',
      does: 'before its machine is replaced; nereid hosts shows what it still holds',
    },
  ],
  run: (call) => change(call, 'drainHost'),
};

export const resume: Verb = {
  name: 'resume',
  group: 'Act',
  summary: 'let a host take work again',
  details: [DETAILS],
  isRemote: true,
  arguments: [{ name: HOST }],
  options: [TIMEOUT],
  examples: [{ command: 'nereid resume fc835ae8', does: 'after it was drained' }],
  run: (call) => change(call, 'resumeHost'),
};

async function change(call: Call, action: Extract<ActionName, 'drainHost' | 'resumeHost'>): Promise<ExitCode> {
  const client = call.client();
  const id = await hostId(client, call.given.argument(HOST));
  showAnswer(call, await client.act(action, { parameters: { id }, body: {} }, call.within(ANSWER_MS, GOES_ON)));
  return EXIT.done;
}

/** A host that was stopped may be resumed, too. */
async function hostId(client: Client, typed: string): Promise<string> {
  const { items, stopped } = (await client.get('listHosts')).value;
  const ids = [...items, ...stopped].map(({ id }) => id);
  if (ids.includes(typed)) return typed;
  const found = ids.filter((id) => id.startsWith(typed));
  const [id] = found;
  if (found.length > 1) throw wrongUsage(`${found.length} hosts begin with ${typed}: ${found.join(', ')}`);
  if (id === undefined) throw new ExitError(EXIT.notFound, `no host is called ${typed}: nereid hosts lists them`);
  return id;
}
