/** The shape of `nereid.server.yaml` as it is written. Requirements beyond the shape are rules in server-rules.ts. */
import { z } from 'zod';
import { MEMBER_LIMIT } from '../settings/people-schema.ts';
import { advised, described, flag, list, object, oneOf, text } from '../yaml/schema.ts';
import { Audit } from './audit/audit-schema.ts';
import { BUDGET_LIMIT, BudgetEntry } from './budgets/budget.ts';
import { Console } from './console/console-schema.ts';
import { Deployments } from './notifications/deployments-schema.ts';
import { Notifications } from './notifications/notifications-schema.ts';
import { Policy, POLICY_LIMIT } from './policies/plan-policies.ts';
import { PoolEntry } from './pools.ts';
import { PROTECTION_RULE_LIMIT, ProtectionRuleEntry } from './protection/protection-rules.ts';
import { RepositoryEntry } from './repository-entry-schema.ts';
import { Retention } from './storage/retention.ts';
import { Storage } from './storage/storage-schema.ts';
import { Terraform } from './terraform/terraform-config.ts';
import { WAVE_LIMIT, WaveEntry } from './waves/waves.ts';
import { WINDOW_LIMIT, WindowEntry } from './windows/change-window.ts';
import { Workflows } from './workflows/workflows.ts';

/** One entry per team or repository; far more than anybody writes by hand. */
const ENTRY_LIMIT = 1_000;

const CommentName = text('a word of letters, digits and "-" with which comments begin', /^[A-Za-z][A-Za-z0-9-]{0,38}$/);
const COMMENT_NAME_LIMIT = 5;

/** A list that may be left out. */
function entries<Entry extends z.ZodType>(entry: Entry, limit: number, description: string) {
  return described(list(entry, limit).optional(), description, `list of up to ${limit} (none)`);
}

export const ServerFile = object({
  repositories: described(
    list(RepositoryEntry, ENTRY_LIMIT).min(1, advised('at least one repository', 'add { match: owner/name }')),
    'what may be deployed: the first entry that sets something wins, later ones fill in the rest',
  ),
  workflows: described(
    Workflows.optional(),
    'the names that `workflow` can have, besides `standard`; an entry `standard` replaces the built-in one',
    '[steps](reference/server-file.md#workflows) by name',
  ),
  policies: entries(Policy, POLICY_LIMIT, 'the [policies](guides/policies.md) that judge plans'),
  windows: entries(
    WindowEntry,
    WINDOW_LIMIT,
    '[windows and freezes](guides/windows.md): when roots are planned and applied',
  ),
  budgets: entries(BudgetEntry, BUDGET_LIMIT, '[how many roots are applied, or planned, at once](guides/budgets.md)'),
  waves: entries(WaveEntry, WAVE_LIMIT, 'the [waves](guides/waves.md) in which the roots of a merge are deployed'),
  pools: entries(PoolEntry, MEMBER_LIMIT, '[pools of hosts](guides/pools.md): which roots run on which workers'),
  terraform: described(Terraform.optional(), 'how Terraform and OpenTofu run'),
  storage: described(Storage, 'where records, plans and logs are'),
  retention: described(Retention.optional(), 'for how long what nobody works with any more is kept'),
  audit: described(Audit.optional(), 'where the audit trail goes'),
  notifications: described(Notifications.optional(), 'who is told when something fails or waits for a person'),
  deployments: described(Deployments.optional(), 'GitHub shows which commit each root was deployed at'),
  protection_rules: entries(
    ProtectionRuleEntry,
    PROTECTION_RULE_LIMIT,
    '[jobs of GitHub Actions](guides/protection-rules.md) that wait until roots are applied',
  ),
  console: described(Console.optional(), 'who may use the console, and how'),
  verify_presses: described(
    flag().optional(),
    "a press of a button counts only if GitHub's own log of webhooks has it with the same check run, button and person. Costs two more requests, and some seconds",
    'flag (`false`)',
  ),
  workflow_routing: described(
    oneOf(['automatic', 'manual']).optional(),
    'who [has workflows routed](operate/upgrade.md#versions) to another version of the control workers: they themselves, or people',
    '`automatic`, `manual` (`automatic`)',
  ),
  comment_name: described(
    z
      .union(
        [CommentName, list(CommentName, COMMENT_NAME_LIMIT).min(1, 'at least one word')],
        'a word with which comments begin, or a list of such words',
      )
      .optional(),
    'the first word of [commands](reference/github.md#commands)',
    'word, or list of up to 5 (`nereid`)',
  ),
  command_bots: described(
    list(text('the login of a bot, like "renovate[bot]"', /^[A-Za-z0-9][\w-]*\[bot\]$/), MEMBER_LIMIT).optional(),
    'bots whose comments count as commands; each needs the permission for its command, as a person does',
    'list of logins like `renovate[bot]` (none)',
  ),
});
export type ServerFile = z.infer<typeof ServerFile>;
