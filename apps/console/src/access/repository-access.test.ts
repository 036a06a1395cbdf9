import { describe, expect, test } from '@jest/globals';
import type { KnownVisitor } from '../login/visitor/visitor.ts';
import { AccessUnknownError } from './access-unknown.ts';
import { createRepositoryAccess, type AskAccess, type Sees } from './repository-access.ts';

const INFRA = { owner: 'acme', name: 'infra' };
const SECRET = { owner: 'acme', name: 'secret' };
const ADA = aPerson('ada', 1);

/** GitHub, which knows a set of names, and keeps count. */
function aGitHub(readable: Set<string>) {
  const asked: string[] = [];
  const away = { is: false };
  let nowMs = 1_000;
  const askAccess: AskAccess = (_visitor, repositories) => {
    asked.push(repositories.map(({ name }) => name).join(' '));
    if (away.is) return Promise.reject(new AccessUnknownError('away', 10));
    return Promise.resolve(repositories.map(({ name }) => ({ sees: seen(name) })));
  };
  const seen = (name: string): Sees => (!readable.has(name) ? 'no' : name === 'open' ? 'as-everybody' : 'as-member');
  const access = createRepositoryAccess({ askAccess, clock: { now: () => nowMs } });
  return { ...access, asked, away, passes: (ms: number) => (nowMs += ms) };
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
    const { maySee, away } = aGitHub(new Set(['infra']));
    away.is = true;

    await expect(maySee(ADA, INFRA)).rejects.toThrow(AccessUnknownError);
    away.is = false;
    expect(await maySee(ADA, INFRA)).toBe(true);
  });

  test('is asked again together with all else that they looked at lately', async () => {
    const { seenBy, maySee, asked, passes } = aGitHub(new Set(['infra']));
    await seenBy(ADA, [INFRA, SECRET]);
    passes(5 * 60_000 + 1);

    await maySee(ADA, INFRA);
    passes(60_000);
    await maySee(ADA, SECRET);

    expect(asked).toEqual(['infra secret', 'infra secret']);
  });

  test('in a page that many open at once is one question', async () => {
    const { maySee, asked } = aGitHub(new Set(['infra']));

    await Promise.all([maySee(ADA, INFRA), maySee(ADA, INFRA), maySee(ADA, INFRA)]);

    expect(asked).toEqual(['infra']);
  });
});

test('of more answers than are kept, those of people who looked lately stay', async () => {
  const { seenBy, asked } = aGitHub(new Set());
  const many = Array.from({ length: 10_000 }, (_, index) => ({ owner: 'acme', name: `r${index}` }));
  const people = Array.from({ length: 6 }, (_, index) => aPerson(`p${index}`, index));
  for (const person of people) await seenBy(person, many);

  for (const person of people.slice(-2)) await seenBy(person, many);
  expect(asked).toHaveLength(6);
  for (const person of people.slice(0, 1)) await seenBy(person, many);
  expect(asked).toHaveLength(7);
});

describe('while GitHub cannot be asked', () => {
  test('what was said before serves for a quarter of an hour, and never longer', async () => {
    const { maySee, away, asked, passes } = aGitHub(new Set(['infra']));
    await maySee(ADA, INFRA);
    away.is = true;

    passes(15 * 60_000);
    expect(await maySee(ADA, INFRA)).toBe(true);
    expect(await maySee(ADA, INFRA)).toBe(true);
    // It wants ten seconds of rest.
    expect(asked).toHaveLength(2);
    passes(1);
    await expect(maySee(ADA, INFRA)).rejects.toThrow(AccessUnknownError);
  });

  test('it never serves somebody who wants to do something', async () => {
    const { maySee, maySeeNow, away, passes } = aGitHub(new Set(['infra']));
    expect(await maySeeNow(ADA, INFRA)).toBe(true);
    away.is = true;
    passes(5 * 60_000 + 1);

    await expect(maySeeNow(ADA, INFRA)).rejects.toThrow(AccessUnknownError);
    expect(await maySee(ADA, INFRA)).toBe(true);
  });

  test('a repository that nobody asked about before stays unknown', async () => {
    const { seenBy, away, passes } = aGitHub(new Set(['infra']));
    await seenBy(ADA, [INFRA]);
    away.is = true;
    passes(5 * 60_000 + 1);

    await expect(seenBy(ADA, [INFRA, SECRET])).rejects.toThrow(AccessUnknownError);
  });
});

test('a repository that everybody reads makes nobody a member', async () => {
  const OPEN = { owner: 'acme', name: 'open' };
  const { maySee, isMemberOfAny } = aGitHub(new Set(['infra', 'open']));

  expect([await maySee(ADA, OPEN), await isMemberOfAny(ADA, [OPEN, SECRET])]).toEqual([true, false]);
  expect(await isMemberOfAny(ADA, [OPEN, INFRA])).toBe(true);
  expect(await isMemberOfAny({ kind: 'anonymous' }, [INFRA])).toBe(false);
  expect(await isMemberOfAny({ kind: 'local' }, [])).toBe(true);
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
