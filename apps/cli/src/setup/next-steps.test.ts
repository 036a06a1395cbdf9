/** What people are told to do after a set-up. */
import { expect, test } from '@jest/globals';
import { nextSteps } from './next-steps.ts';

test('on Kubernetes, the steps begin with images of a commit and Temporal, and the namespace may have hosts before the chart is there', () => {
  const steps = nextSteps({
    answers: {
      version: 1,
      target: 'kubernetes',
      gatewayUrl: 'https://webhooks.example.org',
      consoleUrl: 'https://nereid.example.org',
      githubUrl: 'https://github.com',
      name: 'Nereid',
      teams: false,
      mergeQueues: false,
    },
    app: { version: 1, id: 4_711, url: 'https://github.com/apps/nereid', owner: 'acme' },
    folder: '/srv/nereid',
    toDo: [],
    composeVariable: undefined,
    isOfAnotherUser: false,
  });

  const inOrder = [
    'Build and push the images, with the commit as their tag',
    "Start Temporal's server, with temporal.pem, temporal-key.pem and temporal-ca.pem of /srv/nereid",
    'kubectl label namespace nereid pod-security.kubernetes.io/enforce=privileged',
    'kubectl apply --namespace nereid --filename /srv/nereid/secrets.yaml',
    '--values /srv/nereid/values.yaml --set-string image.tag=$(git rev-parse --short HEAD)',
    'node apps/worker/src/doctor/main.ts',
  ];
  const text = steps.join('\n');
  const places = inOrder.map((words) => text.indexOf(words));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});
