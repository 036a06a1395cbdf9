import { beforeEach, describe, expect, test } from '@jest/globals';
import { ForgeUnavailableError, type Permission, type Teams } from '@nereid/forge';
import { authorise, type Judge } from './authorise.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const MEMBERS: Readonly<Record<string, readonly string[]>> = { 'acme/sre': ['carol'], 'acme/network': ['carol'] };

/** The teams that the forge was asked about. */
let asked: string[];

beforeEach(() => {
  asked = [];
});

const teams: Teams = {
  isMember: async (_repository, team, login) => {
    asked.push(team);
    return Promise.resolve(MEMBERS[team]?.includes(login) === true);
  },
  isMissing: async (_repository, team) => Promise.resolve(MEMBERS[team] === undefined),
};

function aForge(permission: Permission | Error, more: Partial<Judge> = { teams }): Judge {
  const permissionOf = async () =>
    permission instanceof Error ? Promise.reject(permission) : Promise.resolve(permission);
  const findReader = async () => Promise.resolve({ mayRead: true, ageMs: 0 });
  return { name: 'Words', people: { permissionOf, findReader, idOf: async () => Promise.resolve(undefined) }, ...more };
}

const confirm = (login: string, names: readonly string[], forge = aForge('write')) =>
  authorise(forge, { repository: REPOSITORY, action: 'confirm', rules: [{ teams: [...names] }], login });

describe('a rule can ask for a team', () => {
  test('whose members may, and nobody else', async () => {
    expect(await confirm('carol', ['acme/sre'])).toEqual({ kind: 'yes' });
    expect(await confirm('alice', ['acme/sre'])).toMatchObject({
      kind: 'no',
      sentence: expect.stringContaining('it takes a member of acme/sre; ask one of them'),
    });
  });

  test('of which one suffices, also beside one that the forge does not have; the refusal names that one', async () => {
    expect(await confirm('carol', ['acme/ghosts', 'acme/network'])).toEqual({ kind: 'yes' });
    expect(await confirm('alice', ['acme/ghosts', 'acme/network'])).toMatchObject({
      kind: 'no',
      sentence: expect.stringContaining('Words has no team acme/ghosts: ask the operator of Nereid'),
    });
  });

  test('which is not asked about for somebody whose permission does not suffice', async () => {
    expect((await confirm('carol', ['acme/sre'], aForge('read'))).kind).toBe('no');
    expect(asked).toEqual([]);
  });

  test('which nobody is in where the forge has none', async () => {
    expect(await confirm('carol', ['acme/sre'], aForge('admin', {}))).toMatchObject({
      kind: 'no',
      sentence: expect.stringContaining('Words cannot say who is in a team'),
    });
  });
});

test('a permission that the forge does not tell is never a yes', async () => {
  const away = new ForgeUnavailableError('Words is away', { status: 503 });

  await expect(confirm('carol', [], aForge(away))).rejects.toBe(away);
});
