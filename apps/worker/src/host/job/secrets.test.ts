import { describe, expect, test } from '@jest/globals';
import type { Step } from '@nereid/contracts';
import { isSecretOfStep, secretsOfEnvironment } from './secrets.ts';

test('credentials that the server lets through are secrets, by their names', () => {
  const environment = { AWS_SECRET_ACCESS_KEY: 'abcdefgh', DB_PASSWORD: 'ijklmnop', AWS_REGION: 'eu-central-1' };

  expect(secretsOfEnvironment(environment)).toEqual(['abcdefgh', 'ijklmnop']);
});

test('a value of fewer than eight characters would hide innocent words, whatever its name', () => {
  expect(secretsOfEnvironment({ API_KEY: 'enabled' })).toEqual([]);
  expect(isSecretOfStep({ steps: { plan: [made], apply: [] } }, 'MADE', 'prod')).toBe(false);
});

const made: Step = { kind: 'env', name: 'MADE', run: 'vault read …' };
const written: Step = { kind: 'env', name: 'REGION', value: 'eu-central-1' };
const writtenToken: Step = { kind: 'env', name: 'TOKEN', value: 'not so clever' };

describe('the value of an env step', () => {
  test('is a secret when a command printed it', () => {
    expect(isSecretOfStep({ steps: { plan: [made], apply: [] } }, 'MADE', 'abcdefgh')).toBe(true);
  });

  test('is none when it stands in the file of the server', () => {
    expect(isSecretOfStep({ steps: { plan: [], apply: [written] } }, 'REGION', 'eu-central-1')).toBe(false);
  });

  test('is a secret when its name says so', () => {
    expect(isSecretOfStep({ steps: { plan: [writtenToken], apply: [] } }, 'TOKEN', 'not so clever')).toBe(true);
  });
});
