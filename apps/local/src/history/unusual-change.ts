/** A pull request after which a root needs a person. */
import { failsWith } from '../fleet/root-files.ts';
import { editOf, fileOf, resourceFile } from './edit.ts';
import { failureOf } from './fate/failures.ts';
import type { Incident } from './fate/incidents.ts';
import { MINUTE_MS } from './moments.ts';
import type { WeekUnderWay } from './week-under-way.ts';

/** Its review takes less than that. */
const PATIENCE_MS = 40 * MINUTE_MS;

export function unusualChange(week: WeekUnderWay, incident: Incident, atMs: number): void {
  const { rootName, title, resource, author, fate, message, isByHand = false, isHostLost = false } = incident;
  const { repository, hosts, propose, deployOnce } = week;
  const root = repository.roots.find(({ name }) => name === rootName);
  if (root === undefined) throw new Error(`expected a root of ${repository.name}, found ${rootName}`);
  const edit = editOf(root, resource, 'create', 0);
  const file = resourceFile(edit, message === undefined ? '' : failsWith(message));
  const number = propose(
    { title, author, branch: resource, files: { [fileOf(root, resource)]: file } },
    atMs,
    isByHand,
  );
  const hostId = isHostLost ? hosts.lost : hosts.present;
  const failure = failureOf(fate, rootName, message);
  const how = { edits: [edit], author, hostId, failure, fate, lastMs: atMs + PATIENCE_MS };
  deployOnce({ root, number, atMs, kind: isByHand ? 'manual' : 'merge' }, how);
}
