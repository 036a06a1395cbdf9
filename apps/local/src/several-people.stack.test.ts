/** Two people of two teams confirm a plan, on real parts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CHANGES } from './sample/changes.ts';
import { ensureSample, SAMPLE_NAME } from './sample/repository.ts';
import type { Stack } from './stack/stack.ts';
import { startTemporaryStack } from './stack/testing/temporary-stack.ts';
import { eventually } from './story/eventually.ts';
import { createScene, type Scene } from './story/scene.ts';
import { openWorkflows, type Workflows } from './story/workflows.ts';

const [OWNER = ''] = SAMPLE_NAME.split('/');
const TEAMS = [`${OWNER}/sre`, `${OWNER}/dba`];

let stack: Stack;
let workflows: Workflows;
let scene: Scene;

beforeAll(async () => {
  stack = await startTemporaryStack({ repositories: [{ match: '*/*', review: { each_of: TEAMS } }] });
  workflows = await openWorkflows(stack);
  await ensureSample(stack.github);
  stack.github.setTeam(OWNER, 'sre', ['bob']);
  stack.github.setTeam(OWNER, 'dba', ['carol']);
  scene = createScene(stack, workflows);
});

afterAll(async () => {
  await workflows[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

test('a plan is applied once somebody of each team has confirmed it, and everything names both', async () => {
  const at = { root: 'network', sha: await scene.merge(CHANGES.grow) } as const;
  const planned = await scene.planned(at);
  expect(planned.output.summary).toContain(`a member of ${TEAMS[0]} and a member of ${TEAMS[1]}`);
  scene.press(planned, 'Confirm', 'bob');

  const first = await scene.seen(
    at,
    'one of two confirmed',
    ({ output }) => output.title?.startsWith('1 of 2 confirmed') === true,
  );
  expect(first.output.summary).toContain(`1 of 2 confirmed (@bob); waits for somebody of ${TEAMS[1]}`);
  // Its page knows a moment after its check run.
  await eventually('the page to say who has confirmed, and who is waited for', async () => {
    const page = await fetch(`${stack.urls.console}/deployments/${first.externalId}?lane=${SAMPLE_NAME}/network`);
    return (await page.text()).includes(`somebody of ${TEAMS[1]}; 1 of 2 confirmed (@bob)`);
  });
  scene.press(first, 'Confirm', 'carol');

  const applied = await scene.applied(at);
  expect(applied.output.summary).toMatch(/Confirmed by @bob[^]*Confirmed by @carol/);
  await eventually('the events of both people and of the apply', async () => {
    const trail = (await stack.storage.auditTrail()).filter((event) => event.deploymentId === applied.externalId);
    // Each workflow stores its own events in order; events of different workflows may overtake each other.
    const presses = trail.flatMap((event) => ('action' in event ? [`${event.action} by ${event.initiatingUser}`] : []));
    const states = trail.flatMap((event) => ('action' in event ? [] : [event.state]));
    return presses.sort().join() === 'confirm by bob,confirm by carol' && states.join() === 'RUNNING,SUCCESS';
  });
});
