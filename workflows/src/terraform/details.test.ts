import { expect, test } from '@jest/globals';
import type { DeploymentActor } from '@nereid/domain/deployment-actor';
import { aDeployment } from '@nereid/domain/testing';
import { detailsOf } from './details.ts';

const AT = '2026-01-31T14:00:00.000Z';

function details(progress: Partial<DeploymentActor['progress']>): string {
  const deployment = aDeployment({ status: 'planning' });
  const actor = {
    input: { deployment },
    progress: { status: 'planning', times: { planning: AT, applying: AT }, jobs: {}, ...progress },
    step: { kind: 'none' },
  };
  return detailsOf(actor as unknown as DeploymentActor); // What is read of it.
}

test('while a deployment is planned or applied, its details say so, where, and since when', () => {
  expect(details({ hostId: 'h1' })).toBe(`**network: planning** on the host h1, since ${AT}.`);
  expect(details({ status: 'applying', hostId: 'h1' })).toBe(`**network: applying** on the host h1, since ${AT}.`);
});

test('while no host has a slot, its details say what it waits for, and why', () => {
  expect(details({ waitsFor: 'host', hostId: 'h1', reason: 'All slots are taken.' })).toBe(
    `**network: waits for a host**, since ${AT}.\n\nAll slots are taken.`,
  );
});
