import { expect, test } from '@jest/globals';
import { terraformEnvironment } from './environment.ts';

const from = {
  PATH: '/bin',
  HOME: '/root',
  AWS_REGION: 'eu-central-1',
  AWSOME: 'no',
  GITHUB_APP_PRIVATE_KEY: 'secret',
  TF_CLI_CONFIG_FILE: '/root/.terraformrc',
  TF_INPUT: '1',
  ABSENT: undefined,
};

const options = { from, allow: ['AWS_*', 'ABSENT'], home: '/private', workspace: 'default' };

test('of the worker only what is allowed comes through', () => {
  expect(terraformEnvironment(options)).toEqual({
    PATH: '/bin',
    AWS_REGION: 'eu-central-1',
    HOME: '/private',
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
    CHECKPOINT_DISABLE: '1',
  });
});

test('a workspace other than default is selected by its variable', () => {
  expect(terraformEnvironment({ ...options, workspace: 'stage' })['TF_WORKSPACE']).toBe('stage');
});

test('a root adds its own variables and changes those of the worker, but not what keeps Terraform from asking', () => {
  const env = terraformEnvironment({ ...options, rootEnv: { AWS_REGION: 'us-east-1', TF_VAR_a: '1', TF_INPUT: '1' } });

  expect(env).toMatchObject({ AWS_REGION: 'us-east-1', TF_VAR_a: '1', TF_INPUT: '0' });
});

test('a plugin cache is not shared, even where everything of Terraform is allowed', () => {
  const env = terraformEnvironment({
    ...options,
    from: { TF_PLUGIN_CACHE_DIR: '/cache', TF_LOG: 'info' },
    allow: ['TF_*'],
  });

  expect(env).toMatchObject({ TF_LOG: 'info' });
  expect(env).not.toHaveProperty('TF_PLUGIN_CACHE_DIR');
});
