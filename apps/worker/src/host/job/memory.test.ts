import { expect, test } from '@jest/globals';
import { memoryOfJob, openJobGroups } from './memory.ts';

const GROUPS = { limited: (group: string, bytes: number) => ({ group, bytes }) };

test.each([
  ['that has no group to divide', 'bubblewrap', 'no cgroup v2 is mounted'],
  ['without a sandbox', 'none', 'there is no sandbox'],
] as const)('a worker %s says once that the limit of memory has no effect, and why', (_what, sandbox, why) => {
  const warnings: object[] = [];
  const logger = { warn: (fields: object) => warnings.push(fields) };
  const opened = { kind: 'not-opened', why: 'no cgroup v2 is mounted' } as const;

  expect(openJobGroups({ sandbox, memoryBytes: 1024 }, logger, () => opened)).toBeUndefined();
  expect(warnings).toEqual([{ why }]);
});

test('without a limit, nothing is opened or said', () => {
  const open = () => {
    throw new Error('expected not to be asked');
  };

  expect(openJobGroups({ sandbox: 'bubblewrap' }, { warn: open }, open)).toBeUndefined();
});

test('the commands of a job have one group, which is named after the job', () => {
  const opened = { kind: 'opened', groups: GROUPS } as const;
  const sandbox = { sandbox: 'bubblewrap', memoryBytes: 1024 } as const;
  const memoryGroups = openJobGroups(sandbox, { warn: () => undefined }, () => opened);

  expect(memoryOfJob({ memoryGroups, sandbox }, { jobFolder: '/somewhere/deployment/job' })).toEqual({
    group: 'job',
    bytes: 1024,
  });
});
