import { describe, expect, test } from '@jest/globals';
import type { Step } from '@nereid/domain/root';
import { secretsOfEnvironment, secretsOfFile, secretsOfStep } from './secrets.ts';

describe('of the variables that a job sees', () => {
  test.each([
    ['GITHUB_PAT', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
    ['AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE'],
    ['SETTING', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
    ['SETTING', 'Passw0rd1'],
    ['SETTING', 'x9$Kq!ze'],
    ['ARM_CLIENT_ID', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ['SETTING', '4111111111111111'],
    ['SETTING', 'correcthorsebatterystaple'],
    ['APP_DSN', 'localhost'],
    ['DB_PASSWORD', 'correct-horse'],
  ])('%s=%s is a secret', (name, value) => {
    expect(secretsOfEnvironment({ [name]: value })).toEqual([value]);
  });

  test.each([
    ['DATABASE_URL', 'postgres://app:correct-horse@db/prod'],
    ['SERVER', 'host=db user=app password=correct-horse sslmode=require'],
    ['STORE', 'Endpoint=https://x;AccountKey=correct-horse;Name=prod'],
  ])('%s=%s is a secret, and so is its password', (name, value) => {
    expect(secretsOfEnvironment({ [name]: value })).toEqual([value, 'correct-horse']);
  });

  test.each([
    ['AWS_REGION', 'us-east-1'],
    ['TF_CLI_CONFIG_FILE', '/etc/nereid/terraform.rc'],
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/bin'],
    ['VAULT_ADDR', 'https://vault.example.org:8200/v1'],
    ['ROLE', 'arn:aws:iam::123456789012:role/NereidPlanner'],
    ['ACCOUNTS', '["dev01", "prod02"]'],
    ['TF_LOG_PROVIDER', 'production'],
    ['VERSION', '1.11.4-20260101'],
    ['LANG', 'en_US.UTF-8'],
  ])('%s=%s stays readable', (name, value) => {
    expect(secretsOfEnvironment({ [name]: value })).toEqual([]);
  });

  test.each(['1', 'true', 'enabled', 'x9$Kq!'])('%s is too short to be hidden, whatever its name', (value) => {
    expect(secretsOfEnvironment({ API_KEY: value, TEXT: value })).toEqual([]);
  });
});

describe('a file that env_from names', () => {
  test('is a secret even where its value looks like words, and so is each of its lines', () => {
    expect(secretsOfFile('STAGE', 'production')).toEqual(['production']);
    expect(secretsOfFile('CERT', 'first line\n  second line\n}\n')).toEqual([
      'first line\n  second line\n}\n',
      'first line',
      'second line',
    ]);
    expect(secretsOfFile('PIN', '1234')).toEqual([]);
  });

  test('of JSON has the secrets of its texts, as programs print them', () => {
    const key = JSON.stringify({ type: 'service_account', private_key: 'BEGIN PRIVATE\nMIIEvQIBADANBgkq\n', n: 1 });

    expect(secretsOfFile('GOOGLE_CREDENTIALS', key)).toEqual([
      key,
      'BEGIN PRIVATE\nMIIEvQIBADANBgkq\n',
      'BEGIN PRIVATE',
      'MIIEvQIBADANBgkq',
    ]);
    expect(secretsOfFile('SETTING', '{not json}')).toEqual(['{not json}']);
  });
});

describe('the value of an env step', () => {
  const made: Step = { kind: 'env', name: 'MADE', run: 'vault read …' };

  test('is a secret when a command printed it', () => {
    expect(secretsOfStep(withStep(made), 'MADE', 'abcdefgh')).toEqual(['abcdefgh']);
    expect(secretsOfStep(withStep(made), 'MADE', 'prod')).toEqual([]);
  });

  test.each([
    ['REGION', 'eu-central-1', []],
    ['TOKEN', 'not so clever', ['not so clever']],
    ['SETTING', 'x9$Kq!7e', ['x9$Kq!7e']],
  ])('in clear text in the file of the server is one as in any variable: %s=%s', (name, value, secrets) => {
    expect(secretsOfStep(withStep({ kind: 'env', name, value }), name, value)).toEqual(secrets);
  });
});

function withStep(step: Step) {
  return { steps: { plan: [step], apply: [] } };
}
