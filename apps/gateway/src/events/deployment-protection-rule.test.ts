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
    ['that goes on', '/repos/Codertocat/Hello-World/actions/runs/1/deployment_protection_rule/../../2'],
  ])('with an address %s is refused', (_what, path) => {
    const payload = withField(aWaitingJob(), 'deployment_callback_url', `https://api.github.com${path}`);

    expect(readEvent(event, payload, filter)).toMatchObject({
      kind: 'invalid',
      problem: expect.stringContaining('deployment_callback_url'),
    });
  });

  test('is ignored where the file has no rule for its repository', () => {
    expect(readEvent(event, aWaitingJob(), UNPROTECTED)).toEqual({
      kind: 'ignore',
      reason: "the server's file has no protection_rules for the repository",
    });
  });
});
