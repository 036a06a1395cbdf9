import { describe, expect, test } from '@jest/globals';
import { resolveRoot } from '../../repository/resolve-root.ts';
import { policyWith } from '../repository-policy/policy.fixture.ts';
import { readServerConfig } from '../read-server-config.ts';

const STORAGE = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';

const withArgument = (argument: string) =>
  `repositories: [{ match: acme/* }]
workflows: { standard: { plan: [{ init: { extra_args: [${JSON.stringify(argument)}] } }, plan], apply: [apply] } }`;

const ROOT = { name: 'prod-net', dir: 'prod/net', workspace: 'blue', enabled: true, varFiles: [] };

function argumentOf(argument: string, root: Partial<typeof ROOT> = {}): string | undefined {
  const [init] = resolveRoot(policyWith(withArgument(argument)), { ...ROOT, ...root }).steps.plan;
  return init?.kind === 'init' ? init.extraArgs[0] : undefined;
}

/** Problems and warnings, each as `path: message`. */
function findingsOf(argument: string): readonly string[] {
  const read = readServerConfig(`${withArgument(argument)}\n${STORAGE}`);
  const findings = read.kind === 'invalid' ? read.problems : read.warnings;
  return findings.map(({ path, message }) => `${path}: ${message}`);
}

describe('an argument has the values of its root', () => {
  test.each([
    ['-var-file=env/${workspace}.tfvars', '-var-file=env/blue.tfvars'],
    ['-backend-config=key=${root.dir}/terraform.tfstate', '-backend-config=key=prod/net/terraform.tfstate'],
    ['-backend-config=backends/${workspace}.hcl', '-backend-config=backends/blue.hcl'],
    ['-var=project=${root.name}-${workspace}', '-var=project=prod-net-blue'],
    ['env/${workspace}.tfvars', 'env/blue.tfvars'],
  ])('%s is %s', (written, argument) => {
    expect(argumentOf(written)).toBe(argument);
    expect(findingsOf(written)).toEqual([]);
  });

  test('of which none is written out again', () => {
    expect(argumentOf('-var=a=${root.dir}', { dir: 'a/${workspace}/$${b' })).toBe('-var=a=a/${workspace}/$${b');
  });

  test('the top of a repository is "."', () => {
    expect(argumentOf('-var=a=${root.dir}', { dir: '.' })).toBe('-var=a=.');
  });
});

test('$${ is ${ itself, and a dollar alone is a dollar', () => {
  expect(argumentOf('-var=a=$${workspace}$')).toBe('-var=a=${workspace}$');
  expect(findingsOf('-var=a=$${workspace}$')).toEqual([]);
});

describe('what an argument cannot contain is told with what it can', () => {
  test.each([
    ['-var=a=${root.branch}', ''],
    ['-var=a=${WORKSPACE_DIR}', ''],
    ['-var=a=${workspace', 'did you mean ${workspace}? '],
    ['-var=a=${ workspace }', 'did you mean ${workspace}? '],
    ['-var=a=${constructor}', ''],
    ['-var=a=${root.nmae}', 'did you mean ${root.name}? '],
  ])('%s', (argument, meant) => {
    expect(findingsOf(argument)).toEqual([
      `workflows.standard.plan[0].init.extra_args[0]: expected only the variables \${root.name}, \${root.dir}, \${workspace}, found ${JSON.stringify(argument)}; ${meant}write $\${ for \${ itself`,
    ]);
  });
});

test.each(['${root.dir}', '${workspace}.tfvars', '-${root.dir}', '-var-file${root.dir}=a'])(
  'no repository makes an option of %s',
  (argument) => {
    expect(findingsOf(argument)).toEqual([
      expect.stringMatching(
        /expected variables in the value of an argument, .*; write it like -var-file=\$\{workspace\}/,
      ),
    ]);
  },
);

test('a variable of a shell is warned of, because there is none', () => {
  expect(findingsOf('-var-file=$WORKSPACE.tfvars')).toEqual([
    expect.stringContaining('found "$WORKSPACE", which reaches Terraform as it is: only run steps have a shell'),
  ]);
});
