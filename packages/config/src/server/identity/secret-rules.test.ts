import { describe, expect, test } from '@jest/globals';
import { readServerConfig } from '../read-server-config.ts';

const STORAGE = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';

/** Problems and warnings, each as `path: message`. */
function findingsOf(
  envFrom: string,
  terraform = 'secrets_folder: /etc/root-secrets',
  match = 'prod',
): readonly string[] {
  const read = readServerConfig(
    `repositories: [{ match: acme/*, roots: { "${match}": { env_from: ${envFrom} } } }]\nterraform: { ${terraform} }\n${STORAGE}`,
  );
  const findings = read.kind === 'invalid' ? read.problems : read.warnings;
  return findings.map(({ path, message }) => `${path}: ${message}`);
}

const AT = 'repositories[0].roots.prod.env_from';

test.each([
  '{ CLOUDFLARE_API_TOKEN: cloudflare }',
  '{ TF_VAR_db_password: db.txt, AWS_SECRET_ACCESS_KEY: legacy_aws-secret }',
  '{ plan: { GOOGLE_CREDENTIALS: reader.json }, apply: { GOOGLE_CREDENTIALS: writer.json } }',
  '{ preview: { DD_API_KEY: read-only } }',
  '{}',
])('a root has secrets: %s', (envFrom) => {
  expect(findingsOf(envFrom)).toEqual([]);
});

describe('a secret is in a file of its own folder', () => {
  test.each(['../key', 'a/b', '/etc/passwd', '..data', '.', '', 'a\\b', 'a'.repeat(201)])('not in %j', (file) => {
    expect(findingsOf(`{ plan: { TOKEN: '${file}' } }`)).toEqual([
      expect.stringMatching(/env_from\.plan\.TOKEN: expected the name of a file in terraform\.secrets_folder/),
    ]);
    expect(findingsOf(`{ TOKEN: '${file}' }`)).toEqual([
      expect.stringMatching(/env_from\.TOKEN: expected the name of a file in terraform\.secrets_folder/),
    ]);
  });

  test('which the file has to name, once', () => {
    expect(findingsOf('{ TOKEN: token }', '')).toEqual([
      `${AT}: expected terraform.secrets_folder to name the folder of these files, found nothing; add it`,
    ]);
    expect(findingsOf('{ TOKEN: token }', 'secrets_folder: secrets')).toEqual([
      'terraform.secrets_folder: expected an absolute path of a folder, without "..", found "secrets"',
    ]);
  });

  test.each(['/etc', '/etc/root-secrets', '/etc/root-secrets/token'])('that no command sees by %s', (path) => {
    for (const key of ['sandbox_read', 'sandbox_write'])
      expect(findingsOf('{ TOKEN: token }', `secrets_folder: /etc/root-secrets, ${key}: [${path}]`)).toEqual([
        `terraform.secrets_folder: expected a folder that no command sees, found "/etc/root-secrets" beside "${path}" of sandbox_read and sandbox_write; keep the secrets elsewhere`,
      ]);
  });

  test('that a sandbox hides: without one, it is warned of', () => {
    expect(findingsOf('{ TOKEN: token }', 'secrets_folder: /s, sandbox: none')).toEqual([
      `${AT}: expected the sandbox bubblewrap, found none: code of any root can read all files of terraform.secrets_folder`,
    ]);
  });
});

test.each(['PATH', 'GIT_SSH_COMMAND', 'TF_CLI_ARGS_plan', 'TF_DATA_DIR', 'NEREID_CONFIG', 'HOME'])(
  'the variable is none of ours, like %s',
  (name) => {
    expect(findingsOf(`{ plan: { ${name}: token }, apply: { ${name}: token } }`)).toEqual([
      `${AT}: expected a variable that is left to roots, found "${name}", which belongs to Nereid or Terraform; remove it`,
    ]);
  },
);

test.each(['LD_PRELOAD', 'BASH_ENV', 'A-B'])('the variable is none of the loader or the shell, like %s', (name) => {
  expect(findingsOf(`{ plan: { ${name}: token } }`)).toEqual([
    expect.stringContaining('expected the name of an environment variable'),
  ]);
  expect(findingsOf(`{ ${name}: token }`)).toEqual([expect.stringContaining(`found "${name}"`)]);
});

test('a phase that does not exist is told with the one that is near', () => {
  expect(findingsOf('{ plans: { TOKEN: token } }')).toEqual([
    `${AT}.plans: expected a known key, found "plans"; did you mean "plan"?`,
  ]);
});

test('a name, which a repository chooses itself, takes no secrets', () => {
  expect(findingsOf('{ TOKEN: token }', undefined, 'name:prod')).toEqual([
    expect.stringContaining('so it could take these secrets; match the directory'),
  ]);
});
