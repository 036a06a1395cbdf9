import { describe, expect, test } from '@jest/globals';
import type { AccessRequest, AccessAnswer } from '@nereid/domain/person';
import { intakeStageOfThisFile } from '../intake/testing/intake-stage.ts';
import { testSignatures } from '../testing/test-signatures.ts';
import { createAccessActivities } from './access-activities.ts';

const stage = intakeStageOfThisFile();

describe('who may read a repository', () => {
  test('is what GitHub says: people with a role in a private one, everybody in a public one', async () => {
    const { repository: closed } = await stage.repository({ 'main.tf': '' });
    const { repository: open } = await stage.repository({ 'main.tf': '' }, 'acme', false);
    stage.standIn.account('carol');

    expect(await readable('rea', [closed, open])).toEqual([true, true]);
    expect(await readable('carol', [closed, open])).toEqual([false, true]);
    expect(await readable('nobody-of-this-name', [closed])).toEqual([false]);
  });

  test('is nobody where the server allows nothing, where the App is not installed, and where there is none', async () => {
    const { repository: foreign } = await stage.repository({ 'main.tf': '' }, 'others');

    expect(await readable('rea', [foreign, { owner: 'acme', name: 'none' }])).toEqual([false, false]);
  });

  test('is nobody any more whose role was taken away', async () => {
    const { repository, fullName } = await stage.repository({ 'main.tf': '' });
    stage.standIn.setRole(fullName, 'rea', undefined);

    expect(await readable('rea', [repository])).toEqual([false]);
    expect(await readable('wim', [repository])).toEqual([true]);
  });
});

test('the answer is signed for exactly this question', async () => {
  const { repository } = await stage.repository({ 'main.tf': '' });
  const request = aRequest('rea', [repository]);
  const { owner, name } = repository;
  const answer = await createAccessActivities(stage.context).askAccess(request);

  const open = (asked: Partial<AccessRequest>, said: Partial<AccessAnswer> = {}) => {
    const about = { ...request, repositories: [{ owner, name }], ...asked };
    return testSignatures.open('decision/access', { ...answer, body: { ...answer.body, ...said } }, about);
  };

  await expect(open({})).resolves.toBeDefined();
  await expect(open({ login: 'wim' })).rejects.toThrow('signed');
  await expect(open({ nonce: 'another' })).rejects.toThrow('signed');
  await expect(open({ repositories: [{ owner: 'acme', name: 'another' }] })).rejects.toThrow('signed');
  await expect(open({}, { mayRead: [false] })).rejects.toThrow('signed');
});

test.each([
  ['more repositories than a page asks for at once', { repositories: Array(51).fill({ owner: 'acme', name: 'a' }) }],
  ['a login that is a path', { login: '../../user' }],
  ['a repository that is a path', { repositories: [{ owner: 'acme', name: '..' }] }],
])('%s is no question', async (_what, changes) => {
  const request = { ...aRequest('rea', []), ...changes } as AccessRequest; // As somebody at Temporal may write it.

  await expect(createAccessActivities(stage.context).askAccess(request)).rejects.toMatchObject({
    type: 'UNREADABLE_QUESTION',
    nonRetryable: true,
  });
});

async function readable(login: string, repositories: AccessRequest['repositories']): Promise<readonly boolean[]> {
  return (await createAccessActivities(stage.context).askAccess(aRequest(login, repositories))).body.mayRead;
}

function aRequest(login: string, repositories: AccessRequest['repositories']): AccessRequest {
  return { version: 1, login, repositories, nonce: 'n' };
}
