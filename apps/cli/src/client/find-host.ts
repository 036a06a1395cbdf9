import { EXIT, ExitError, wrongUsage } from '../exit-code.ts';
import type { Client } from './client.ts';

/** The id that begins like this. A host that was stopped may be resumed, too. */
export async function hostId(client: Client, typed: string): Promise<string> {
  const { items, stopped } = (await client.get('listHosts')).value;
  const ids = [...items, ...stopped].map(({ id }) => id);
  if (ids.includes(typed)) return typed;
  const found = ids.filter((id) => id.startsWith(typed));
  const [id] = found;
  if (found.length > 1) throw wrongUsage(`${found.length} hosts begin with ${typed}: ${found.join(', ')}`);
  if (id === undefined) throw new ExitError(EXIT.notFound, `no host is called ${typed}: nereid hosts lists them`);
  return id;
}
