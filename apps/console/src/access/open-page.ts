/** Whether somebody may open a page that has a link of its own: by that link, or because they are logged in. */
import type { Request } from 'express';
import { AccessUnknownError } from './access-unknown.ts';
import { mayRead } from './may-read.ts';
import { readingOf, type ReadingSources, type Refusal } from './reading.ts';
import type { Named } from './repository-access.ts';
import { sightOf, type SightSources } from './sight.ts';

export type OpeningSources = ReadingSources & SightSources;

type Ask = (repository: Named) => Promise<boolean>;

export type Opened =
  /** Ask of the repository that the page turns out to be about. */
  | { readonly kind: 'open'; readonly maySee: Ask; readonly isMember: Ask }
  | { readonly kind: 'absent' }
  /** Where pages open by link alone, and this is none. */
  | { readonly kind: 'keyless' }
  | Refusal;

/** `subject` is what the key of a link is for; undefined where the address names nothing. */
export async function openPage(
  sources: OpeningSources,
  request: Request,
  subject: string | undefined,
): Promise<Opened> {
  const { access } = sources;
  const { key } = request.query;
  if (access.kind === 'link' && key === undefined && request.headers.authorization === undefined)
    return { kind: 'keyless' };
  const isOpen =
    access.kind !== 'local' && subject !== undefined && mayRead(access, { subject, key, host: request.headers.host });
  if (isOpen) return { kind: 'open', maySee: () => Promise.resolve(true), isMember: isMemberIn(sources, request) };
  const reading = await readingOf(sources, request);
  if (reading.kind === 'reader') {
    const { reader } = reading;
    const isMember = (repository: Named) => sources.isMemberOfAny(reader, [repository]);
    return { kind: 'open', maySee: sightOf(sources, reader).maySee, isMember };
  }
  return access.kind === 'link' && reading.message.status === 404 ? { kind: 'absent' } : reading;
}

/** A person who came by a link may be logged in. */
function isMemberIn(sources: OpeningSources, request: Request): Ask {
  return async (repository) => {
    try {
      const reading = await readingOf(sources, request);
      return reading.kind === 'reader' && (await sources.isMemberOfAny(reading.reader, [repository]));
    } catch (error) {
      // What the link opens does not depend on it.
      if (error instanceof AccessUnknownError) return false;
      throw error;
    }
  };
}
