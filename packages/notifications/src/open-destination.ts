import type { Destination } from '@nereid/config';
import type { Sender } from './answer.ts';
import { createAlertmanager } from './kinds/alertmanager.ts';
import { createDeployments, type ForgeOfDeployments } from './kinds/deployments.ts';
import { createEmail } from './kinds/email.ts';
import { createPagerDuty } from './kinds/pagerduty.ts';
import { createSlack } from './kinds/slack.ts';
import { createTeams } from './kinds/teams.ts';
import { createWebhook } from './kinds/webhook.ts';
import { POST_OPTIONS, type PostOptions } from './post.ts';

/** Connects to nothing, and reads secrets only when something is sent, so that a rotation needs no restart. Only deployments need the forge. */
export function openDestination(
  { target }: Pick<Destination, 'target'>,
  options: PostOptions = POST_OPTIONS,
  forge?: ForgeOfDeployments,
): Sender {
  switch (target.kind) {
    case 'webhook':
      return createWebhook(target, options);
    case 'slack':
      return createSlack(target, options);
    case 'teams':
      return createTeams(target, options);
    case 'email':
      return createEmail(target, options);
    case 'pagerduty':
      return createPagerDuty(target, options);
    case 'alertmanager':
      return createAlertmanager(target, options);
    case 'deployments':
      return createDeployments(target, forge);
  }
}
