import { z } from 'zod';
import { commandLineOf, isAddressedTo } from './command-line.ts';
import { Envelope, Id, Person, readPayload, repositoryOf, senderOf } from './payload.ts';
import { ignore, accept, type EventFilter, type Verdict } from './verdict.ts';

const IssueComment = z.object({ action: z.string().max(50) });

const Created = Envelope.extend({
  issue: z.object({ number: Id, pull_request: z.looseObject({}).nullish() }),
  comment: z.object({
    id: Id,
    created_at: z.iso.datetime({ offset: true }),
    body: z.string().nullable(),
    user: Person.extend({ type: z.string().max(50) }),
  }),
});

/** A person's comment on a pull request whose first line, blank ones aside, begins with one of our names. */
export function readIssueComment(payload: unknown, filter: EventFilter): Verdict {
  const base = readPayload(IssueComment, payload);
  if (base.kind === 'invalid') return base;
  if (base.value.action !== 'created') return ignore('the comment is not a new one');
  const read = readPayload(Created, payload);
  if (read.kind === 'invalid') return read;

  const { issue, comment } = read.value;
  const line = commandLineOf(comment.body ?? '');
  if (!issue.pull_request) return ignore('the comment is not on a pull request');
  if (!mayCommand(filter, comment.user)) return ignore('the author of the comment is not a person');
  if (!isAddressedTo(filter.commentNames, line))
    return ignore(`the comment does not begin with ${filter.commentNames.join(' or ')}`);
  return accept({
    kind: 'comment',
    repository: repositoryOf(read.value),
    pullRequest: issue.number,
    commentId: comment.id,
    createdAt: comment.created_at,
    line,
    ...senderOf(comment.user),
  });
}

/** A bot also needs the permission for its command, as a person does. */
function mayCommand({ commandBots = [] }: EventFilter, { type, login }: Author): boolean {
  if (type !== 'Bot') return type === 'User';
  return commandBots.some((bot) => bot.toLowerCase() === login.toLowerCase());
}

type Author = z.infer<typeof Created>['comment']['user'];
