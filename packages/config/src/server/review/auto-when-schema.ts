/** The plans that need nobody, as the server's file writes it. */
import { RULED_CHANGES } from '@nereid/domain/root';
import { z } from 'zod';
import { advised, described, list, object, oneOf, text } from '../../yaml/schema.ts';

/** Longer lists name nothing in particular. */
const LIST_LIMIT = 20;

/** A host lists no more changes of a plan. */
const CHANGES_LIMIT = 200;

export const AutoWhen = object({
  no: described(
    list(oneOf(RULED_CHANGES), RULED_CHANGES.length).optional(),
    'changes that such a plan does not make',
    'list of `destroy`, `replace`, `forget`, `change`, `create`, `import`, `move` (the first three)',
  ),
  only_types: described(
    list(
      text('a type of resources; "*" stands for any part, as in "aws_route53_*"', /^[A-Za-z0-9_*-]{1,100}$/),
      LIST_LIMIT,
    )
      .min(1, 'at least one type')
      .optional(),
    'all changed resources are of one of these types',
    'list of up to 20 types, `*` for any part (any)',
  ),
  max_changes: described(
    z
      .int('a whole number')
      .min(1, 'at least 1')
      .max(CHANGES_LIMIT, advised(`at most ${CHANGES_LIMIT}`, 'a person confirms larger plans'))
      .optional(),
    'how many resources it changes at most',
    '1 to 200 (200)',
  ),
  policies: described(
    list(text('the name of a policy'), LIST_LIMIT).min(1, 'at least one policy').optional(),
    'policies that have judged the plan and passed it',
    'list of names of [policies](guides/policies.md) (none)',
  ),
  authors: described(
    oneOf(['any']).optional(),
    'the rule counts although `not_author` holds for the root; without it, a person is asked there',
    '`any` (absent)',
  ),
});
export type AutoWhen = z.infer<typeof AutoWhen>;
