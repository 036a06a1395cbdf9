import { describe, expect, test } from '@jest/globals';
import type { DeploymentStatus } from '@nereid/domain/deployment';
import type { DeploymentActor } from '@nereid/domain/deployment-actor';
import { aDeployment } from '@nereid/domain/testing';
import { detailsOf, listedAs } from './details.ts';

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

test('while a gate is closed before its apply, its details say so, and why', () => {
  expect(
    details({
      status: 'blocked',
      times: { blocked: AT },
      waitsFor: { gate: 'window', who: [] },
      reason: 'Closed until Mon.',
    }),
  ).toBe(`**network: waits at a closed gate**, since ${AT}.\n\nClosed until Mon.`);
});

describe('in lists, a deployment', () => {
  const at = Date.parse(AT);
  const listed = (status: DeploymentStatus, now: number) => {
    const progress = { status, times: { [status]: AT }, jobs: {} };
    return listedAs({ progress, durations: { quietMs: 1_000 } } as unknown as DeploymentActor, now); // What is read of it.
  };

  test('has a state once that has lasted for a second', () => {
    expect([listed('applying', at + 999), listed('applying', at + 1_000)]).toEqual([undefined, 'applying']);
    expect(listed('preparing', at + 1_000)).toBe('planning');
  });

  test('asks a person, and ends, at once', () => {
    expect([listed('awaiting-review', at), listed('succeeded', at)]).toEqual(['awaiting-review', 'succeeded']);
  });
});
