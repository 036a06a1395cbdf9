import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';
import { makeAppKey } from './app-key.ts';

let world: AGitHub;

beforeAll(async () => {
  world = await aGitHub();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe("the App's own token", () => {
  test('is taken when it is signed with its key and short-lived', async () => {
    const { status, body } = await world.api('GET', '/app', undefined, { token: await world.appJwt() });

    expect([status, at(body, 'slug')]).toEqual([200, 'nereid']);
  });

  test('of another App is refused', async () => {
    const { status } = await world.api('GET', '/app', undefined, { token: await world.appJwt({ issuer: '1' }) });

    expect(status).toBe(401);
  });

  test('that lives longer than ten minutes is refused', async () => {
    const { body } = await world.api('GET', '/app', undefined, { token: await world.appJwt({ lifeS: 1_200 }) });

    expect(at(body, 'message')).toMatch(/too far in the future/);
  });

  test('that has expired is refused', async () => {
    const { status } = await world.api('GET', '/app', undefined, { token: await world.appJwt({ lifeS: -300 }) });

    expect(status).toBe(401);
  });

  test('signed with another key is refused', async () => {
    const { privateKey: key } = makeAppKey();

    const { status } = await world.api('GET', '/app', undefined, { token: await world.appJwt({ key }) });

    expect(status).toBe(401);
  });

  test('opens no repository', async () => {
    const { status } = await world.api('GET', `/repos/${REPOSITORY}`, undefined, { token: await world.appJwt() });

    expect(status).toBe(403);
  });
});

describe('an installation token', () => {
  test('is required', async () => {
    const response = await fetch(`${world.github.apiUrl}/repos/${REPOSITORY}`);

    expect(response.status).toBe(401);
  });

  test('for some repositories does not see the others', async () => {
    const { github } = world;
    await github.createRepository({ owner: 'acme', name: 'other', files: { a: 'a' }, collaborators: { ada: 'admin' } });
    const token = await world.installationToken({ repositories: ['other'] });

    const { status } = await world.api('GET', `/repos/${REPOSITORY}`, undefined, { token });

    expect(status).toBe(404);
  });

  test('with fewer permissions may do less', async () => {
    const token = await world.installationToken({ permissions: { contents: 'read' } });

    const { status } = await world.api('GET', `/repos/${REPOSITORY}/pulls`, undefined, { token });

    expect(status).toBe(403);
  });

  test('with more permissions than were granted is not minted', async () => {
    const token = await world.installationToken({ permissions: { contents: 'write' } });

    expect(token).toBe('undefined');
  });
});

describe('the permission of', () => {
  const permissionOf = async (login: string) =>
    (await world.api('GET', `/repos/${REPOSITORY}/collaborators/${login}/permission`)).body;

  test('a maintainer is reported as write, with the true role beside it', async () => {
    expect(await permissionOf('max')).toMatchObject({
      permission: 'write',
      role_name: 'maintain',
      user: { permissions: { maintain: true, admin: false } },
    });
  });

  test('a person in triage is reported as read', async () => {
    expect(await permissionOf('tia')).toMatchObject({ permission: 'read', role_name: 'triage' });
  });

  test('a person without a role in a private repository is none', async () => {
    const { github } = world;
    github.setRole(REPOSITORY, 'gone', undefined);

    expect(await permissionOf('gone')).toMatchObject({ permission: 'none', user: { permissions: { pull: false } } });
  });

  test('nobody is not found', async () => {
    expect(await permissionOf('ghost')).toMatchObject({ status: '404' });
  });
});
