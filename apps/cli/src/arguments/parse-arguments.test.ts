import { describe, expect, test } from '@jest/globals';
import { parseDuration } from './duration.ts';
import { parseDeployment } from './deployment-argument.ts';
import { isSha, parseLane, parseLimit, parsePull, parseTime } from './names.ts';
import { didYouMean, parseArguments, splitVerb } from './parse-arguments.ts';
import type { VerbDescription } from './verb-description.ts';

const VERB: VerbDescription = {
  name: 'try',
  group: 'Look',
  summary: '',
  isRemote: true,
  arguments: [{ name: 'LANE' }, { name: 'JOB', values: ['plan', 'apply'], isOptional: true, isRepeated: true }],
  options: [
    { name: 'state', value: 'STATE', values: ['review', 'failed'], summary: '' },
    { name: 'follow', short: 'f', summary: '' },
  ],
  examples: [],
};

describe('the verb', () => {
  test.each([
    [[], undefined, []],
    [['lanes'], 'lanes', []],
    [['--json', 'lanes', '--state', 'review'], 'lanes', ['--json', '--state', 'review']],
    [['--console', 'http://a', 'lanes'], 'lanes', ['--console', 'http://a']],
    [['--console=http://a', 'lanes', 'x'], 'lanes', ['--console=http://a', 'x']],
    [['--json'], undefined, ['--json']],
    [['--state', 'review', 'try'], 'try', ['--state', 'review']],
  ])('the verb of %j is %s', (args, verb, rest) => {
    expect(splitVerb(args, [VERB])).toEqual({ verb, rest });
  });
});

test('of two verbs that are equally near, the one that was typed with a letter too many is meant', () => {
  expect(didYouMean('stopp', ['stops', 'stop'])).toBe('; did you mean stop?');
});

describe('what is right', () => {
  test('arguments and options come in any order', () => {
    const given = parseArguments(VERB, ['-f', 'a/b/c', '--state=review', 'plan', '--json', 'apply']);

    expect(given.argument('LANE')).toBe('a/b/c');
    expect(given.all('JOB')).toEqual(['plan', 'apply']);
    expect([given.option('state'), given.has('follow'), given.has('json')]).toEqual(['review', true, true]);
  });

  test('what is left out is absent', () => {
    const given = parseArguments(VERB, ['a/b/c']);

    expect([given.all('JOB'), given.option('state'), given.has('follow')]).toEqual([[], undefined, false]);
  });

  test('whoever asks for help needs nothing else', () => {
    expect(parseArguments(VERB, ['--help']).has('help')).toBe(true);
  });
});

describe('wrong arguments', () => {
  test.each([
    [[], 'try needs LANE'],
    [['a', 'plans'], 'expected plan or apply as JOB, found plans; did you mean plan?'],
    [['a', '--stat', 'review'], 'try has no option --stat; did you mean --state?'],
    [['a', '--nothing-like-it'], 'try has no option --nothing-like-it'],
    [['a', '-x'], 'try has no option -x'],
    [['a', '--state', 'good'], 'expected review or failed as --state, found good'],
    [['a', '--state'], '--state needs a value: STATE'],
    [['a', '--state', '--json'], '--state needs a value: STATE'],
    [['a', '--state='], '--state needs a value: STATE'],
    [['a', '--json=yes'], '--json takes no value'],
  ])('the arguments %j are refused with the sentence "%s"', (args, sentence) => {
    expect(() => parseArguments(VERB, args)).toThrow(sentence);
  });

  test('too many arguments are named', () => {
    const verb = { ...VERB, arguments: [{ name: 'LANE' }] };

    expect(() => parseArguments(verb, ['a', 'b', 'c'])).toThrow('try takes LANE, found also: b c');
    expect(() => parseArguments({ ...verb, arguments: [] }, ['a'])).toThrow('try takes no arguments');
  });

  test.each([
    ['#', ['acme/infra', '10'], "; did you mean nereid try 'acme/infra#10'?"],
    ['#', ['acme/infra', '#10'], "; did you mean nereid try 'acme/infra#10'?"],
    ['/', ['acme/infra', 'network'], '; did you mean nereid try acme/infra/network?'],
    ['/', ['acme/infra/network', 'more'], ''],
    ['/', ['acme/infra', 'network', 'more'], ''],
  ] as const)('parts that %s joins, typed as words of their own: %j', (joint, words, hint) => {
    const verb = { ...VERB, arguments: [{ name: 'IT', joint }] };
    const sentence = `try takes IT, found also: ${words.slice(1).join(' ')}${hint}`;

    expect(() => parseArguments(verb, words)).toThrow(new Error(sentence));
  });
});

describe('names', () => {
  test('a lane is owner, repository and root', () => {
    expect(parseLane('acme/infra/network')).toEqual({ owner: 'acme', name: 'infra', root: 'network' });
  });

  test.each(['', 'acme', 'acme/infra', 'acme/infra/net/work', 'acme/infra/.hidden', 'a b/c/d'])(
    '%j is no lane',
    (text) => {
      expect(() => parseLane(text)).toThrow('expected a lane like acme/infra/network');
    },
  );

  test.each([
    'acme/infra#12',
    'https://github.com/acme/infra/pull/12',
    'https://nereid.example/pulls/acme/infra/12?key=1.a',
  ])('%s is a pull request', (text) => {
    expect(parsePull(text)).toEqual({ owner: 'acme', name: 'infra', number: 12 });
  });

  test.each(['acme/infra', 'acme/infra#0', 'acme/infra#x', '#12', 'https://github.com/acme/infra/pull/x'])(
    '%s is no pull request',
    (text) => {
      expect(() => parsePull(text)).toThrow('expected a pull request like acme/infra#12');
    },
  );

  test('a commit has all its digits', () => {
    expect(['a'.repeat(40), 'a'.repeat(39), 'main'].map(isSha)).toEqual([true, false, false]);
  });
});

describe('a deployment is named', () => {
  const id = '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90';

  test('by its id', () => {
    expect(parseDeployment(id)).toEqual({ kind: 'id', id });
  });

  test.each([
    [`deployments/${id}?lane=acme%2Finfra%2Fnetwork`, { lane: 'acme/infra/network' }],
    [`https://nereid.example/top/deployments/${id}?lane=a%2Fb%2Fc&key=1.x#plan`, { lane: 'a/b/c', key: '1.x' }],
    [`http://127.0.0.1:4144/deployments/${id}`, {}],
  ])('the address %s names a deployment', (text, rest) => {
    expect(parseDeployment(text)).toEqual({ kind: 'id', id, ...rest });
  });

  test('by the beginning of its id', () => {
    expect(parseDeployment('3f2a8c1e')).toEqual({ kind: 'short', beginning: '3f2a8c1e' });
  });

  test('by its lane', () => {
    expect(parseDeployment('acme/infra/network')).toMatchObject({ kind: 'lane' });
  });

  test.each(['', '3f2a8c1', `${id}0`, '../../etc', 'https://nereid.example/deployments/none'])(
    '%j names no deployment',
    (text) => {
      expect(() => parseDeployment(text)).toThrow('expected a deployment by its id');
    },
  );
});

describe('values', () => {
  test.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
  ])('%s is a time', (text, ms) => {
    expect(parseDuration(text, 'timeout')).toBe(ms);
  });

  test.each(['', '10', '0s', '1w', '-1s', '25d', '1.5h'])('%j is no time', (text) => {
    expect(() => parseDuration(text, 'timeout')).toThrow('as --timeout');
  });

  test('a moment is a time or a day', () => {
    expect(parseTime('2026-11-22', 'at')).toBe('2026-11-22T00:00:00.000Z');
    expect(parseTime('2026-11-22T12:00:00+01:00', 'at')).toBe('2026-11-22T11:00:00.000Z');
    expect(() => parseTime('yesterday', 'at')).toThrow('as --at, found yesterday');
    expect(() => parseTime('2026-13-45', 'at')).toThrow('as --at');
  });

  test('a limit is a number', () => {
    expect(parseLimit('100')).toBe(100);
    for (const text of ['0', '-1', 'x', '1e3', '']) expect(() => parseLimit(text)).toThrow('as --limit');
  });
});
