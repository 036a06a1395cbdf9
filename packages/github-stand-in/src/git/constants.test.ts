import { describe, expect, test } from '@jest/globals';
import { createConstants, isConstant } from './constants.ts';

const ONE = '1'.repeat(40);
const OTHER = '2'.repeat(40);

describe('an answer of git', () => {
  test.each([
    ['about commits', ['log', '-z', '-1', ONE, '--'], undefined],
    ['about what is between commits', ['log', `${ONE}..${OTHER}`], undefined],
    ['about a merge', ['merge-tree', '--write-tree', ONE, OTHER], undefined],
    ['about commits that are read from the input', ['diff-tree', '--stdin'], `${ONE}\n${OTHER}\n`],
  ])('%s stays as it is', (_what, args, input) => {
    expect(isConstant(args, input)).toBe(true);
  });

  test.each([
    ['about a branch', ['log', '-1', 'refs/heads/main']],
    ['about an abbreviated id, which may name another object later', ['log', '-1', 'abcdef0']],
    ['about everything', ['log', '--all']],
    ['that writes a commit with the time', ['commit-tree', ONE]],
    ['about branches', ['for-each-ref', 'refs/heads']],
  ])('%s changes', (_what, args) => {
    expect(isConstant(args)).toBe(false);
  });
});

describe('an answer that was kept', () => {
  const ask = (answer: string) => () => Promise.resolve(answer);

  test('is given again', async () => {
    const constants = createConstants<string>(({ length }) => length);

    await constants.get('q', ask('first'));

    expect(await constants.get('q', ask('second'))).toBe('first');
    expect(await constants.get('other', ask('second'))).toBe('second');
  });

  test('is no failure, and not long', async () => {
    const constants = createConstants<string>(({ length }) => length);

    await expect(constants.get('q', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await constants.get('long', ask('x'.repeat(64 * 1024 + 1)));

    expect(await constants.get('q', ask('yes'))).toBe('yes');
    expect(await constants.get('long', ask('short'))).toBe('short');
  });

  test('makes room for newer ones', async () => {
    const constants = createConstants<string>(({ length }) => length);

    for (let number = 0; number <= 500; number += 1) await constants.get(`q${number}`, ask('first'));

    expect(await constants.get('q500', ask('second'))).toBe('first');
    expect(await constants.get('q0', ask('second'))).toBe('second');
  });
});
