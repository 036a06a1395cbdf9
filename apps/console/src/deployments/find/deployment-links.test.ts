import { expect, test } from '@jest/globals';
import type { DeploymentStatus } from '@nereid/domain/deployment';
import { aDeployment } from '@nereid/domain/testing';
import { githubPages } from '@nereid/github-pages';
import { LANE } from '../../testing.ts';
import { linksOf } from './deployment-links.ts';

const SETTINGS = {
  forgePages: githubPages('https://github.example'),
  temporalUiUrl: 'https://temporal.example',
  namespace: 'default',
};

test.each<[DeploymentStatus, boolean]>([
  ['queued', false],
  ['blocked', false],
  ['planning', true],
])('a deployment that is %s has a workflow to look at: %s', (status, isThere) => {
  const { progress, ...deployment } = aDeployment({ status });

  const links = linksOf(SETTINGS, deployment.id, LANE, { deployment, progress });

  expect('workflow' in links).toBe(isThere);
  expect(links.laneWorkflow).toContain('https://temporal.example/');
});
