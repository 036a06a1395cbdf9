import { expect, test } from '@jest/globals';
import { formatProblem } from '../../yaml/problem.ts';
import { readServerConfig } from '../read-server-config.ts';

const STORAGE = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';

function problemsWith(yaml: string): readonly string[] {
  const read = readServerConfig(`${yaml}\n${STORAGE}\n`);
  return read.kind === 'ok' ? [] : read.problems.map((problem) => formatProblem(problem, '').slice(1));
}

test('commands can change the folders of shared states', () => {
  const written = (more: string) =>
    problemsWith(`repositories: [{ match: acme/a }]\nterraform: { shared_state: [/srv/a, /srv/b/c, /srv/bc] ${more} }`);

  expect(written(', sandbox_write: [/srv/b/]')).toEqual([
    '2:29 terraform.shared_state[0]: expected a folder that commands can change, found "/srv/a"; add it to sandbox_write',
    '2:47 terraform.shared_state[2]: expected a folder that commands can change, found "/srv/bc"; add it to sandbox_write',
  ]);
  expect(written(', sandbox: none')).toEqual([]);
});

test.each(['-state=/srv/a.tfstate', '--state', '-state-out=b'])('no step says where the state is: %s', (flag) => {
  const yaml = `repositories: [{ match: acme/a }]\nworkflows: { w: { plan: [init, { plan: { extra_args: ["${flag}"] } }], apply: [apply] } }`;

  expect(problemsWith(yaml)).toEqual([
    `2:32 workflows.w.plan[1]: expected the backend of each root to say where its state is, found "${flag}"; give init { extra_args: [-backend-config=…] }`,
  ]);
});
