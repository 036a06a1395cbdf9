/** Decides what a visitor may see of answers that hold many things, such as a stream of events. */
import { ProviderUnavailableError } from '@nereid/identity';
import { deploymentPageSubject, pullRequestPageSubject, type LaneName, type PullRequestName } from '@nereid/github';
import type { Request } from 'express';
import type { Context } from '../context.ts';
import { AccessUnknownError } from './access-unknown.ts';
import { openPage } from './open-page.ts';
import { readingOf } from './reading.ts';
import type { Named } from './repository-access.ts';

export type Seen =
  /** Lists of all that the visitor may see, whatever that is. */
  | { readonly kind: 'lists' }
  | { readonly kind: 'hosts' }
  | { readonly kind: 'lane'; readonly lane: LaneName }
  | { readonly kind: 'deployment'; readonly id: string; readonly lane: LaneName }
  | { readonly kind: 'pull-request'; readonly pull: PullRequestName };

/** Asked again for each event: what a visitor may see can change while a stream goes on. */
export type MaySee = (seen: Seen) => boolean | Promise<boolean>;

export function createMaySee(context: Context, request: Request): MaySee {
  const opens = async (subject: string, repository: Named) => {
    const opened = await openPage(context, request, subject);
    return opened.kind === 'open' && opened.maySee(repository);
  };
  const isSeen = async (seen: Seen): Promise<boolean> => {
    switch (seen.kind) {
      case 'lists':
      case 'hosts':
        return (await readingOf(context, request)).kind === 'reader';
      case 'lane': {
        const reading = await readingOf(context, request);
        return reading.kind === 'reader' && context.maySee(reading.reader, seen.lane);
      }
      case 'deployment':
        return opens(deploymentPageSubject(seen.id, seen.lane), seen.lane);
      case 'pull-request':
        return opens(pullRequestPageSubject(seen.pull), seen.pull);
    }
  };
  return async (seen) => {
    try {
      return await isSeen(seen);
    } catch (error) {
      if (!(error instanceof AccessUnknownError || error instanceof ProviderUnavailableError)) throw error;
      context.logger.warn({ err: error }, 'nobody says what somebody may see: an event is left out');
      return false;
    }
  };
}
