import type { DeploymentBrief } from '@nereid/api';
import type { Call } from '../call.ts';
import { shortId } from '../arguments/deployment-argument.ts';
import { shortSha, stateLook } from '../output/looks.ts';
import { relativeTime } from '../output/relative-time.ts';

export type Row = DeploymentBrief & { readonly repository?: string; readonly rootName?: string };

/** A line for each, with the beginning of its id, which other verbs take. */
export function showDeployments({ screen, world }: Pick<Call, 'screen' | 'world'>, rows: readonly Row[]): void {
  const hasRoots = rows.some(({ rootName }) => rootName !== undefined);
  const root = { title: 'ROOT' };
  screen.table(
    [
      { title: 'ID' },
      ...(hasRoots ? [root] : []),
      ...[{ title: 'STATUS' }, { title: 'COMMIT' }, { title: 'BY' }, { title: 'WHEN' }],
      { title: 'TITLE', isFlexible: true },
    ],
    rows.map(({ id, repository, rootName = '', status, sha, requestedBy, receivedAt, endedAt, title }) => [
      shortId(id),
      ...(hasRoots ? [repository === undefined ? rootName : `${repository}/${rootName}`] : []),
      stateLook(status),
      shortSha(sha),
      requestedBy,
      relativeTime(endedAt ?? receivedAt, world.now()),
      title,
    ]),
  );
}
