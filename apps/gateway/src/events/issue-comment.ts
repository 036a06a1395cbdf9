import { z } from 'zod';
import { Envelope, Id, Person, readPayload, repositoryOf, senderOf } from './payload.ts';
import { ignore, take, type EventFilter, type Verdict } from './verdict.ts';

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

/** Enough for a command that names some dozens of roots. */
const LINE_LIMIT = 500;

/** A person's comment on a pull request whose first line begins with one of our names. */
export function readIssueComment(payload: unknown, filter: EventFilter): Verdict {
  const base = readPayload(IssueComment, payload);
  if (base.kind === 'invalid') return base;
  if (base.value.action !== 'created') return ignore('the comment is not a new one');
  const read = readPayload(Created, payload);
  if (read.kind === 'invalid') return read;

  const { issue, comment } = read.value;
  const line = firstLineOf(comment.body ?? '');
  if (!issue.pull_request) return ignore('the comment is not on a pull request');
  if (!mayCommand(filter, comment.user)) return ignore('the author of the comment is not a person');
  if (!isAddressedTo(filter.commentNames, line))
    return ignore(`the comment does not begin with ${filter.commentNames.join(' or ')}`);
  return take({
    kind: 'comment',
    repository: repositoryOf(read.value),
    pullRequest: issue.number,
    commentId: comment.id,
    createdAt: comment.created_at,
    line,
    ...senderOf(comment.user),
  });
}

function firstLineOf(body: string): string {
  const [line = ''] = body.split(/\r?\n/, 1);
  return line.slice(0, LINE_LIMIT).trimEnd();
}

/** A bot needs the permission for its command besides, as a person does. */
function mayCommand({ commandBots = [] }: EventFilter, { type, login }: Author): boolean {
  if (type !== 'Bot') return type === 'User';
  return commandBots.some((bot) => bot.toLowerCase() === login.toLowerCase());
}

type Author = z.infer<typeof Created>['comment']['user'];

/** Case does not matter: phones begin a sentence with a capital letter. */
function isAddressedTo(names: readonly string[], line: string): boolean {
  const [first = ''] = line.split(/\s/, 1);
  return names.some((name) => first.toLowerCase() === name.toLowerCase());
}
