import { describe, expect, test } from '@jest/globals';
import { APP_ID, aWaitingJob, INSTALLATION_ID, withField } from './payload.fixture.ts';
import { readEvent } from './read-event.ts';

const UNPROTECTED = { appId: APP_ID, commentNames: ['nereid'] };
const REPOSITORY = { owner: 'Codertocat', name: 'Hello-World', installationId: INSTALLATION_ID };

describe('a job that waits for an answer', () => {
  const event = 'deployment_protection_rule';
  const filter = { ...UNPROTECTED, isProtected: true };

  test('is taken with the number of its run, whoever the address names as its host', () => {
    const elsewhere =
      'http://evil.example/api/v3/repos/codertocat/hello-world/actions/runs/4711/deployment_protection_rule';
    const payload = withField(aWaitingJob(), 'deployment_callback_url', elsewhere);

    const taken = { kind: 'accept', event: { kind: 'protected-run', repository: REPOSITORY, runId: 4711 } };
    expect(readEvent(event, aWaitingJob(), filter)).toEqual({
      kind: 'accept',
      event: {
        ...taken.event,
        environment: 'production',
        deploymentId: 1,
        askedAt: '2026-01-31T14:00:00Z',
        sha: 'a'.repeat(40),
        sender: 'Codertocat',
        senderId: 21_031_067,
      },
    });
    expect(readEvent(event, payload, filter)).toMatchObject(taken);
  });

  test.each([
    ['of another repository', '/repos/acme/infra/actions/runs/4711/deployment_protection_rule'],
    ['of no run', '/repos/Codertocat/Hello-World/actions/runs/x/deployment_protection_rule'],
    ['of a repository above', '/repos/acme/../Codertocat/Hello-World/actions/runs/1/deployment_protection_rule'],
    ['with an encoded way up', '/repos/Codertocat/Hello-World%2F../actions/runs/1/deployment_protection_rule'],
    [
      'with a number that is no id',
      `/repos/Codertocat/Hello-World/actions/runs/${'9'.repeat(16)}/deployment_protection_rule`,
    ],
    ['with a query', '/repos/Codertocat/Hello-World/actions/runs/1/deployment_protection_rule?run=2'],
    ['that goes on', '/repos/Codertocat/Hello-World/actions/runs/1/deployment_protection_rule/../../2'],
  ])('with an address %s is refused', (_what, path) => {
    const payload = withField(aWaitingJob(), 'deployment_callback_url', `https://api.github.com${path}`);

    expect(readEvent(event, payload, filter)).toMatchObject({
      kind: 'invalid',
      problem: expect.stringContaining('deployment_callback_url'),
    });
  });

  test.each([
    ['with a slash', 'prod/eu'],
    ['that climbs', '../../production'],
    ['in other letters', 'Продакшн 生产'],
    ['of 255 emoji', '🚀'.repeat(255)],
  ])('may be for an environment %s', (_what, environment) => {
    const payload = withField(aWaitingJob(), 'environment', environment);

    expect(readEvent(event, payload, filter)).toMatchObject({ kind: 'accept', event: { environment } });
  });

  test.each([
    ['environment', ''],
    ['environment', 'x'.repeat(256)],
    ['deployment.id', undefined],
    ['deployment.created_at', 'yesterday'],
  ])('without a valid %s is refused', (field, value) => {
    expect(readEvent(event, withField(aWaitingJob(), field, value), filter)).toMatchObject({
      kind: 'invalid',
      problem: expect.stringContaining(field),
    });
  });

  test('is ignored where the file has no rule for its repository', () => {
    expect(readEvent(event, aWaitingJob(), UNPROTECTED)).toEqual({
      kind: 'ignore',
      reason: "the server's file has no protection_rules for the repository",
    });
  });
});
