/** Plans that no host of the installation signed. */
import { expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { planned } from '@nereid/domain/deployment-testing';
import type { Script } from '../fixtures/fake-hosts.ts';
import { stageOfThisFile } from '../fixtures/stage.ts';

const stage = stageOfThisFile();

const NOT_SIGNED = 'expected the result/plan to be signed, found an unknown key';

const notSigned = () => Promise.reject(ApplicationFailure.nonRetryable(NOT_SIGNED, 'FORGED'));

test('a plan whose host has a key that nobody knows is made on another one, and no person sees it', async () => {
  const plan: Script['plan'] = (hostId) => Promise.resolve(planned({}, `signed by ${hostId}`));
  const claim: Script['claim'] = (attempt) => Promise.resolve(attempt === 0 ? 'h1' : 'h2');
  const verifyPlan: Script['verifyPlan'] = ({ made }) =>
    made.signature === 'signed by h2' ? Promise.resolve() : notSigned();
  const deployment = await stage.start({ plan, claim, verifyPlan });
  await deployment.reached('awaiting-review');
  await deployment.review();

  expect(await deployment.result()).toMatchObject({ status: 'succeeded', hostId: 'h2' });
  expect(JSON.stringify(deployment.asked.shown)).not.toContain('signed by h1');
});

test('planning ends when nobody signed three plans', async () => {
  const deployment = await stage.start({ verifyPlan: notSigned });

  expect(await deployment.result()).toMatchObject({ status: 'plan-failed', reason: NOT_SIGNED });
  expect(deployment.asked.calls.filter((call) => call === 'plan h1')).toHaveLength(3);
});
