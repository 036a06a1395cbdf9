import { describe, expect, test } from '@jest/globals';
import { StopRequest } from '@nereid/subprocess';
import path from 'node:path';
import { fixture, testdir } from '../../fixtures/fixture.ts';
import { readConftestOutput } from './conftest-output.ts';
import { evaluatePolicy, type PolicyEvaluation } from './evaluate-policy.ts';

async function evaluateWith(program: string, more: Partial<PolicyEvaluation> = {}) {
  await using folder = await testdir({ 'policy/policy.rego': 'package main\n', 'plan.json': '{}' });
  return await evaluatePolicy({
    conftest: fixture(`conftest/${program}`),
    folder: path.join(folder.path, 'policy'),
    namespaces: ['main'],
    planJson: path.join(folder.path, 'plan.json'),
    ...more,
  });
}

describe('a conftest that gives no result denies, with the reason', () => {
  test.each([
    ['prints-garbage', 'it ended with exit code 0 and no result'],
    ['denies-without-a-word', 'it ended with exit code 1 and no result'],
    ['is-killed', 'conftest was killed by SIGKILL'],
    ['prints-2mb', 'it printed more than 1 MiB'],
    ['is-too-old', 'Error: unknown flag: --rego-version'],
    ['is-not-there', 'conftest could not be started'],
  ])('the conftest "%s" denies, and says why', async (program, why) => {
    const finding = await evaluateWith(program);

    expect(finding).toEqual({
      verdict: 'error',
      denials: [expect.stringContaining(`it could not be evaluated: ${why}`)],
      warnings: [],
    });
  });

  test('a conftest that never ends denies, and says why', async () => {
    const finding = await evaluateWith('never-ends', { timeoutMs: 100 });

    expect(finding).toMatchObject({
      verdict: 'error',
      denials: ['it could not be evaluated: it did not end within 1 s'],
    });
  });

  test('stopped with its host', async () => {
    const signal = AbortSignal.abort(new StopRequest('host-shutting-down'));

    expect(await evaluateWith('never-ends', { signal })).toMatchObject({ verdict: 'error' });
  });

  test('because there is no folder', async () => {
    expect(await evaluateWith('reads-v0-only', { folder: '/nowhere' })).toMatchObject({
      verdict: 'error',
      denials: [expect.stringContaining('there is no folder /nowhere')],
    });
  });
});

describe('the version of Rego', () => {
  test('is the newest that can read the policy', async () => {
    const printed: string[] = [];
    const log = (output: Uint8Array) => void printed.push(Buffer.from(output).toString());

    expect(await evaluateWith('reads-v0-only', { log })).toMatchObject({ verdict: 'passed' });
    expect(printed).toEqual([expect.stringContaining('rego_parse_error'), expect.stringContaining('successes')]);
  });

  test('is the one that is asked for, and no other', async () => {
    expect(await evaluateWith('reads-v0-only', { rego: 'v0' })).toMatchObject({ verdict: 'passed' });
    expect(await evaluateWith('reads-v0-only', { rego: 'v1' })).toMatchObject({ verdict: 'error' });
  });
});

describe('what conftest prints', () => {
  test('is read for all namespaces together', () => {
    const output = [
      { namespace: 'main', successes: 1, warnings: [{ msg: 'w' }] },
      { namespace: 'prod', failures: [{ msg: 'f', metadata: { details: {} } }] },
    ];

    expect(readConftestOutput(JSON.stringify(output), 1)).toEqual({
      verdict: 'denied',
      denials: ['f'],
      warnings: ['w'],
    });
  });

  test('denies although its exit code does not say so', () => {
    expect(readConftestOutput('[{"failures":[{"msg":"f"}]}]', 0)?.verdict).toBe('denied');
  });

  test('passes with warnings, and with exceptions', () => {
    expect(readConftestOutput('[{"warnings":[{"msg":"w"}]}]', 0)?.verdict).toBe('passed');
    expect(readConftestOutput('[{"successes":0,"exceptions":[{"msg":"e"}]}]', 0)?.verdict).toBe('passed');
  });

  test.each(['[]', '[{"successes":0}]'])('does not pass when no rule was evaluated: %s', (text) => {
    expect(readConftestOutput(text, 0)?.verdict).toBe('error');
  });

  test.each(['', 'null', '{}', '[null]', '[{"failures":[{"msg":7}]}]', '[{"successes":-1}]', '[{"successes":"1"}]'])(
    'is no result when it has another shape: %s',
    (text) => {
      expect(readConftestOutput(text, 0)).toBeUndefined();
    },
  );
});
