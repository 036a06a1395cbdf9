import { expect, test } from '@jest/globals';
import { laneWorkflowId } from '@nereid/domain/lane';
import { aRoot } from '@nereid/domain/testing';
import { orderDeployment } from '../../lane/order-deployment.ts';
import { refused, signalled } from '../results.ts';
import { withDeployments } from './ordered-deployments.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const DELIVERY = `${'a'.repeat(16)}-${'b'.repeat(32)}`;
const REQUEST = { repository: REPOSITORY, delivery: DELIVERY };

test('an answer names each deployment by the id that its lane is told', async () => {
  const root = { ...aRoot(), name: 'network' };
  const signatures = { enclose: (_kind: string, body: object) => Promise.resolve({ body, signature: 'signature' }) };
  const order = { version: 1, requestId: `${DELIVERY}:network`, root, trigger: 'manual', rerun: true } as const;
  const context = { signatures } as never; // It only signs.
  const ordered = await orderDeployment(context, REPOSITORY, { ...order, ...REST });

  const lane = laneWorkflowId(REPOSITORY, 'network');
  const answer = withDeployments({ ...REQUEST, rootNames: ['network'] }, signalled('done', [lane]));

  expect(answer.deployments).toEqual([{ id: ordered.deploymentId, rootName: 'network' }]);
});

test('a root whose lane was told nothing has no deployment', () => {
  const lane = laneWorkflowId(REPOSITORY, 'network');

  const answer = withDeployments({ ...REQUEST, rootNames: ['network', 'stopped'] }, signalled('done', [lane]));

  expect(answer.deployments?.map(({ rootName }) => rootName)).toEqual(['network']);
});

test('a refusal names none', () => {
  expect(withDeployments({ ...REQUEST, rootNames: ['network'] }, refused('no'))).toEqual(refused('no'));
});

const REST = {
  revision: { sha: 'a'.repeat(40), branch: 'main', position: 1, title: 'A title', author: 'alice' },
  force: false,
  requestedBy: 'alice',
};
