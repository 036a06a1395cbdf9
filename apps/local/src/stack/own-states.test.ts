import { expect, test } from '@jest/globals';
import { withOwnStates } from './own-states.ts';

const ROOT = { name: 'network', planReview: 'required', onFailure: 'halt' } as const;

test('roots of the same name in two repositories have a state each', () => {
  const { repositories, workflows } = withOwnStates(
    [
      { repository: 'acme/data', roots: [ROOT] },
      { repository: 'acme/edge', roots: [ROOT] },
    ],
    '/state',
  );

  expect(repositories).toMatchObject([{ match: 'acme/data' }, { match: 'acme/edge' }]);
  expect(JSON.stringify(workflows['acme-data-network'])).toContain('path=/state/acme/data/network.tfstate');
  expect(JSON.stringify(workflows['acme-edge-network'])).toContain('path=/state/acme/edge/network.tfstate');
});

test('a root has the settings that it says', () => {
  const { repositories } = withOwnStates([{ repository: 'acme/data', roots: [ROOT] }], '/state');

  expect(repositories).toEqual([
    {
      match: 'acme/data',
      roots: { network: { workflow: 'acme-data-network', plan_review: 'required', on_failure: 'halt' } },
    },
  ]);
});
