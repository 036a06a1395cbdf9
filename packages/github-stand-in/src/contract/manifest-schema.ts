import type { Description } from './description.ts';
import type { Schema } from './json-schema.ts';

/** What GitHub's guide says of the manifest of an App, which its description of the API does not have. */
export function manifestSchema(description: Description): Schema {
  const url = { type: 'string', format: 'uri', pattern: '^https?://' };
  return {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: LONGEST_NAME },
      url,
      hook_attributes: {
        type: 'object',
        properties: { url, active: { type: 'boolean' } },
        required: ['url'],
        additionalProperties: false,
      },
      redirect_url: url,
      callback_urls: { type: 'array', items: url, maxItems: 10 },
      setup_url: url,
      description: { type: 'string' },
      public: { type: 'boolean' },
      default_events: { type: 'array', items: { enum: Object.keys(PERMISSION_OF_EVENT) } },
      default_permissions: {
        type: 'object',
        properties: permissionProperties(description),
        additionalProperties: false,
      },
      request_oauth_on_install: { type: 'boolean' },
      setup_on_update: { type: 'boolean' },
    },
    required: ['url', 'redirect_url', 'hook_attributes'],
    additionalProperties: false,
  };
}

/** GitHub has no longer names of Apps. */
const LONGEST_NAME = 34;

/** An App gets an event only if it may read what the event is about. */
export const PERMISSION_OF_EVENT: Readonly<Record<string, string>> = {
  check_run: 'checks',
  check_suite: 'checks',
  deployment_protection_rule: 'deployments',
  issue_comment: 'issues',
  merge_group: 'merge_queues',
  pull_request: 'pull_requests',
  pull_request_review: 'pull_requests',
  push: 'contents',
};

function permissionProperties({ definitions }: Description): Schema {
  // The names of permissions stand where tokens are narrowed to some of them.
  const { 'app-permissions': permissions } = definitions['definitions'] as Readonly<Record<string, Schema>>;
  return permissions?.['properties'] as Schema;
}
