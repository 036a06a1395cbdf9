/** Payloads as GitHub publishes them, with the fields of ours that a test needs. */
import { createRequire } from 'node:module';
import { z } from 'zod';

type Payload = Readonly<Record<string, unknown>>;

const Examples = z.array(z.object({ name: z.string(), examples: z.array(z.record(z.string(), z.unknown())) }));

const require = createRequire(import.meta.url);
const published = Examples.parse(require('@octokit/webhooks-examples'));

/** Every published example of every event. */
export function allExamples(): readonly { readonly event: string; readonly payload: Payload }[] {
  return published.flatMap(({ name, examples }) => examples.map((payload) => ({ event: name, payload })));
}

/** The first published example of this event and action. */
export function anExample(event: string, action?: string): Payload {
  const found = allExamples().find((each) => each.event === event && (!action || each.payload['action'] === action));
  if (!found) throw new Error(`GitHub publishes no example of ${event} ${action ?? ''}`);
  return found.payload;
}

/** The payload with this value at this path, `check_run.app.id` for example; undefined removes the field. */
export function withField(payload: Payload, path: string, value: unknown): Payload {
  const [key = '', ...rest] = path.split('.');
  const { [key]: old, ...others } = payload;
  if (rest.length > 0) return { ...others, [key]: withField(Payload.parse(old ?? {}), rest.join('.'), value) };
  return value === undefined ? others : { ...others, [key]: value };
}

const Payload = z.record(z.string(), z.unknown());

export const APP_ID = 29_310;
export const INSTALLATION_ID = 7;

/** A push of one commit to the default branch. */
export function aPush(): Payload {
  return withFields(anExample('push'), {
    ref: 'refs/heads/main',
    'repository.default_branch': 'main',
    before: '0'.repeat(40),
    after: 'a'.repeat(40),
    deleted: false,
    installation: { id: INSTALLATION_ID },
  });
}

/** A pull request into the default branch. */
export function aPullRequest(action: string): Payload {
  return withFields(anExample('pull_request', 'opened'), {
    action,
    number: 2,
    'pull_request.base.ref': 'main',
    'repository.default_branch': 'main',
    installation: { id: INSTALLATION_ID },
  });
}

/** A job of the run 4711 that waits for an answer. */
export function aWaitingJob(): Payload {
  const { repository, sender } = aPush();
  return {
    action: 'requested',
    environment: 'production',
    event: 'push',
    deployment_callback_url:
      'https://api.github.com/repos/Codertocat/Hello-World/actions/runs/4711/deployment_protection_rule',
    deployment: {
      ...{ id: 1, sha: 'a'.repeat(40), ref: 'main', environment: 'production' },
      created_at: '2026-01-31T14:00:00Z',
    },
    pull_requests: [],
    repository,
    sender,
    installation: { id: INSTALLATION_ID },
  };
}

/** A group of the default branch's merge queue. */
export function aMergeGroup(action: string): Payload {
  return withFields(anExample('merge_group'), {
    action,
    'repository.default_branch': 'main',
    'merge_group.base_ref': 'refs/heads/main',
    'merge_group.head_ref': `refs/heads/gh-readonly-queue/main/pr-12-${'b'.repeat(40)}`,
    'merge_group.head_sha': 'c'.repeat(40),
    installation: { id: INSTALLATION_ID },
  });
}

/** A press of this button on a check run of ours. */
export function aButton(identifier: string): Payload {
  return withFields(anExample('check_run', 'requested_action'), {
    requested_action: { identifier },
    'check_run.app.id': APP_ID,
    installation: { id: INSTALLATION_ID },
  });
}

/** *Re-run* on a check run of ours. */
export function aRerun(): Payload {
  const ours = { 'check_run.app.id': APP_ID, installation: { id: INSTALLATION_ID } };
  return withFields(anExample('check_run', 'rerequested'), ours);
}

/** *Re-run all* on our check suite. */
export function aRerunAll(): Payload {
  const ours = { 'check_suite.app.id': APP_ID, installation: { id: INSTALLATION_ID } };
  return withFields(anExample('check_suite', 'rerequested'), ours);
}

/** A person's comment on a pull request. */
export function aComment(body: string): Payload {
  return withFields(anExample('issue_comment', 'created'), {
    'comment.body': body,
    'issue.pull_request': { url: 'https://api.github.com/repos/Codertocat/Hello-World/pulls/1' },
    installation: { id: INSTALLATION_ID },
  });
}

function withFields(payload: Payload, fields: Payload): Payload {
  return Object.entries(fields).reduce<Payload>((whole, [path, value]) => withField(whole, path, value), payload);
}
