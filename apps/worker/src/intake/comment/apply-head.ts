/** `apply` sends the head of a pull request to the lanes of its roots. */
import { defined } from '@nereid/domain/defined';
import type { CommentEvent, IntakeResult } from '@nereid/domain/intake';
import type { Root } from '@nereid/domain/root';
import type { PullRequest } from '@nereid/forge';
import pMap from 'p-map';
import { checkRunLinks } from '../../lane/show/check-run-links.ts';
import { deployRoots, requestedBy } from '../revisions/deploy-modified.ts';
import { showStopped } from '../revisions/stopped-check-run.ts';
import type { IntakeCall } from '../intake-call.ts';
import { LANES_ASKED } from '../../lane/lane-place.ts';
import { listNames } from '../../platform/list-names.ts';
import { acceptedText, type NamedRoot } from './replies.ts';
import { accept, refuse, reply } from './reply-to-comment.ts';
import { askerOf } from '../../person/permission.ts';
import { refused } from '../results.ts';
import { findUnderWay } from '../under-way.ts';
import { describeDeployment, linkToStatus } from './describe-deployment.ts';

export interface HeadToApply {
  readonly pullRequest: PullRequest;
  readonly roots: readonly Root[];
  readonly force: boolean;
}

/** Leaves alone the roots to which this head is already under way. */
export async function applyHead(call: IntakeCall, event: CommentEvent, head: HeadToApply): Promise<IntakeResult> {
  const { repository } = event;
  const { headSha: sha, headBranch: branch, number: pullRequest, baseSha } = head.pullRequest;
  const found = await pMap(
    head.roots,
    async (root) => ({
      root,
      ...(await findUnderWay(call, { repository, rootName: root.name, sha })),
    }),
    LANES_ASKED,
  );
  const linksOf = await checkRunLinks(call.context, repository);
  const wanted = found.filter(({ sameRevision }) => sameRevision === undefined);
  const queued = wanted.map(({ root, running }) =>
    named(root, running && `after ${describeDeployment(linksOf, running)}`),
  );
  const others = {
    lead: 'Already under way',
    roots: found.flatMap(({ root, sameRevision }) =>
      sameRevision ? [named(root, `it ${linkToStatus(linksOf, sameRevision)}`)] : [],
    ),
  };
  if (others.roots.length > 0) {
    call.userActions.refused({ rootNames: others.roots.map(({ name }) => name), revision: sha }, UNDER_WAY);
  }
  if (wanted.length === 0) {
    await reply(call, event, acceptedText(others));
    return refused(`${UNDER_WAY}: ${listNames(others.roots.map(({ name }) => name))}`);
  }
  const who = requestedBy(askerOf(event));
  const why = { trigger: 'manual', rerun: false, force: head.force, ...who, pullRequest } as const;
  const request = { repository, sha, branch, why, since: () => Promise.resolve(baseSha) };
  const newRoots = wanted.map(({ root }) => root);
  const { workflows, stopped } = await deployRoots(call, { ...request, source: call.delivery }, newRoots);
  const sentences = stopped.map(({ sentence }) => sentence);
  const stoppedNames = stopped.map(({ name }) => name);
  if (workflows.length === 0) return refuse(call, event, sentences, { rootNames: stoppedNames, revision: sha });
  if (stopped.length > 0) call.userActions.refused({ rootNames: stoppedNames, revision: sha }, sentences.join('; '));
  await showStopped(call, repository, sha, stopped);
  const done = queued.filter(({ name }) => !stoppedNames.includes(name));
  call.userActions.accepted({ rootNames: done.map(({ name }) => name), revision: sha });
  const left = stopped.map(({ name }) => ({ name, note: 'its check says why' }));
  const leftOut = left.length > 0 ? { lead: 'Not deployed', roots: left } : others;
  return accept(call, event, { lead: 'Queued', roots: done, others: leftOut }, workflows);
}

const UNDER_WAY = 'already under way';

function named({ name }: Root, note: string | undefined): NamedRoot {
  return { name, ...defined({ note }) };
}
