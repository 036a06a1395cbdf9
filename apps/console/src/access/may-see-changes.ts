/** Decides what a visitor may see of answers that hold many things, such as a stream of events. */
import {
  deploymentPageSubject,
  pullRequestPageSubject,
  type LaneName,
  type PullRequestName,
} from '@nereid/domain/console';
import type { Request } from 'express';
import { mayRead } from './may-read.ts';
import { readingOf, type ReadingSources } from './reading.ts';
import { sightOf, type Sight, type SightSources } from './sight.ts';

/** The subject of something in an answer. */
export type About =
  | { readonly kind: 'hosts' }
  | { readonly kind: 'lane'; readonly lane: LaneName }
  | { readonly kind: 'deployment'; readonly id: string; readonly lane: LaneName }
  | { readonly kind: 'pull-request'; readonly pull: PullRequestName };

/**
 * Asked again for each event: what a visitor may see can change while a stream goes on. Throws an `AccessUnknownError` while nobody
 * can say.
 */
export type MaySee = (about: About) => boolean | Promise<boolean>;

/** By their login, or else by the key of the one page that they have open. */
export async function maySeeChanges(sources: ReadingSources & SightSources, request: Request): Promise<MaySee> {
  const reading = await readingOf(sources, request);
  return reading.kind === 'reader' ? bySight(sightOf(sources, reading.reader)) : byKey(sources, request);
}

function bySight({ maySee, isInsider }: Sight): MaySee {
  return (about) => {
    if (about.kind === 'hosts') return isInsider();
    return maySee(about.kind === 'pull-request' ? about.pull : about.lane);
  };
}

function byKey({ access }: ReadingSources, { query: { key }, headers: { host } }: Request): MaySee {
  if (access.kind === 'local') return () => false;
  return (about) => {
    const subject = subjectOf(about);
    return subject !== undefined && mayRead(access, { subject, key, host });
  };
}

/** What the key of a link is for; undefined for what no link opens. */
function subjectOf(about: About): string | undefined {
  switch (about.kind) {
    case 'deployment':
      return deploymentPageSubject(about.id, about.lane);
    case 'pull-request':
      return pullRequestPageSubject(about.pull);
    case 'hosts':
    case 'lane':
      return undefined;
  }
}
