import { describe, expect, test } from '@jest/globals';
import type { KnownVisitor } from '../login/visitor.ts';
import { AccessUnknownError } from './access-unknown.ts';
import { createRepositoryAccess, type AskAccess } from './repository-access.ts';

const INFRA = { owner: 'acme', name: 'infra' };
const SECRET = { owner: 'acme', name: 'secret' };
const ADA = aPerson('ada', 1);

/** GitHub, which knows a set of names, and keeps count. */
function aGitHub(readable: Set<string>) {
  const asked: string[] = [];
  let nowMs = 1_000;
  const askAccess: AskAccess = (_visitor, repositories) => {
    asked.push(repositories.map(({ name }) => name).join(' '));
    return Promise.resolve(repositories.map(({ name }) => readable.has(name)));
  };
  const access = createRepositoryAccess({ askAccess, clock: { now: () => nowMs } });
  return { ...access, asked, passes: (ms: number) => (nowMs += ms) };
}

describe('what a person may see', () => {
  test('is asked once for all repositories of a page, and then not for five minutes', async () => {
    const { seenBy, maySee, asked, passes } = aGitHub(new Set(['infra']));

    const sees = await seenBy(ADA, [INFRA, SECRET, INFRA]);
    passes(5 * 60_000 - 1);

    expect([sees(INFRA), sees(SECRET), await maySee(ADA, SECRET)]).toEqual([true, false, false]);
    expect(asked).toEqual(['infra secret']);
  });

  test('is gone five minutes after they were removed from the organisation', async () => {
    const readable = new Set(['infra']);
    const { maySee, passes } = aGitHub(readable);
    expect(await maySee(ADA, INFRA)).toBe(true);

    readable.clear();

    expect(await maySee(ADA, INFRA)).toBe(true);
    passes(5 * 60_000 + 1);
    expect(await maySee(ADA, INFRA)).toBe(false);
  });

  test('is theirs alone, and stays with a renamed login', async () => {
    const { maySee, asked } = aGitHub(new Set(['infra']));

    await maySee(ADA, INFRA);
    await maySee(aPerson('ada-lovelace', 1), INFRA);
    await maySee(aPerson('ada', 2), INFRA);

    expect(asked).toHaveLength(2);
  });

  test('does not depend on the case of names, as on GitHub', async () => {
    const { seenBy } = aGitHub(new Set(['infra']));

    expect((await seenBy(ADA, [INFRA]))({ owner: 'Acme', name: 'INFRA' })).toBe(true);
  });

  test('that nobody can tell is no yes, and is asked again', async () => {
    let isAway = true;
    const askAccess: AskAccess = (_visitor, repositories) =>
      isAway ? Promise.reject(new AccessUnknownError('away', 1)) : Promise.resolve(repositories.map(() => true));
    const { maySee } = createRepositoryAccess({ askAccess });

    await expect(maySee(ADA, INFRA)).rejects.toThrow(AccessUnknownError);
    isAway = false;
    expect(await maySee(ADA, INFRA)).toBe(true);
  });

  test('is not asked without end', async () => {
    const { seenBy } = aGitHub(new Set());
    const many = (from: number) =>
      Array.from({ length: 1_000 }, (_, index) => ({ owner: 'acme', name: `r${from + index}` }));

    await seenBy(ADA, many(0));
    const second = seenBy(ADA, many(1_000));

    await expect(second).rejects.toThrow('more repositories within an hour');
  });
});

test('who showed nothing sees nothing, and who is on the console’s machine sees everything', async () => {
  const { maySee, asked } = aGitHub(new Set(['infra']));

  expect(await maySee({ kind: 'anonymous' }, INFRA)).toBe(false);
  expect(await maySee({ kind: 'refused', why: '', by: 'browser' }, INFRA)).toBe(false);
  expect(await maySee({ kind: 'local' }, SECRET)).toBe(true);
  expect(asked).toEqual([]);
});

function aPerson(login: string, id: number): KnownVisitor {
  return { kind: 'person', person: { login, id }, proof: { mode: 'github', token: 't' }, by: 'browser', session: 's' };
}
