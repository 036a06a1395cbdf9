import { expect, test } from '@jest/globals';
import { formatProblem } from '../../yaml/problem.ts';
import { readServerConfig } from '../read-server-config.ts';

function read(audit: string) {
  return readServerConfig(`repositories: [{ match: acme/* }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
audit: ${audit}
`);
}

function problemsOf(audit: string): readonly string[] {
  const result = read(audit);
  return result.kind === 'invalid' ? result.problems.map((each) => formatProblem(each, 'f')) : [];
}

const SNS = 'sns:arn:aws:sns:eu-west-1:123456789012:deploys';

test('events go to several places, each with what it is sent with', () => {
  const result = read(`
  to:
    - ${SNS}
    - pubsub:projects/acme-prod/topics/audit
    - { webhook: https://audit.example.org/nereid, secret_file: /run/secrets/webhook }
    - { event_grid: https://nereid.westeurope-1.eventgrid.azure.net/api/events, secret_file: /run/secrets/grid }
  pubsub: { endpoint: https://europe-west1-pubsub.googleapis.com }`);

  expect(result).toMatchObject({
    kind: 'ok',
    config: {
      audit: {
        to: [
          { to: SNS },
          { to: 'pubsub:projects/acme-prod/topics/audit' },
          { to: 'webhook:https://audit.example.org/nereid', secretFile: '/run/secrets/webhook' },
          {
            to: 'eventgrid:https://nereid.westeurope-1.eventgrid.azure.net/api/events',
            secretFile: '/run/secrets/grid',
          },
        ],
        required: true,
        pubsub: { endpoint: 'https://europe-west1-pubsub.googleapis.com' },
      },
    },
  });
});

test.each([
  ['an empty list', '{ to: [] }', 'audit.to: expected at least one place, found'],
  [
    'a key in place of its file',
    '{ to: [{ webhook: "https://a.example", secret_file: whsec_x }] }',
    'secret_file: expected the absolute path of a file, without ".."',
  ],
  [
    'no secret',
    '{ to: [{ webhook: "https://a.example" }] }',
    'secret_file: expected the absolute path of a file, without "..", found nothing; add it',
  ],
  [
    'no TLS',
    '{ to: [{ webhook: "http://a.example", secret_file: /s }] }',
    'expected an https URL, or an http URL of this machine, found "http://a.example"; serve it with TLS',
  ],
  [
    'two kinds in one',
    '{ to: [{ webhook: "https://a.example", event_grid: "https://a.example", secret_file: /s }] }',
    'audit.to[0]: expected an address, { webhook: url, secret_file: path } or { event_grid: url, secret_file: path }, found a mapping; give each place an entry of its own in the list',
  ],
  [
    'a key that its kind does not have',
    `{ to: [${SNS}, { webhook: "https://a.example", secret_file: /s, secret: x }] }`,
    'audit.to[1].secret: expected a known key, found "secret"; known keys are webhook, secret_file',
  ],
  [
    'a place with a secret, outside of a list',
    '{ to: { webhook: "https://a.example", secret_file: /s } }',
    'a webhook or an Event Grid stands in a list, like to: [{ webhook:',
  ],
  [
    'a topic of another kind',
    '{ to: "pubsub:acme" }',
    'audit.to: expected "sns:<topic arn>", "pubsub:projects/<project>/topics/<topic>"',
  ],
])('%s is refused with what is right', (_what, audit, sentence) => {
  expect(problemsOf(audit)).toEqual([expect.stringContaining(sentence)]);
});
