import { expect, test } from '@jest/globals';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { renderCheckRun } from './render-check-run.ts';

const LINKS = { deploymentUrl: 'https://console.example/deployments/3f2a?key=k' };
const deployment = aDeployment({ status: 'awaiting-review', plan: aPlan() });

test('a check run says that a window closes, behind what it waits for', () => {
  const closing = 'Closes Fri 18:00 UTC (change freeze “*Year* end”): an apply that has not begun by then waits';

  const { summary } = renderCheckRun({ deployment }, LINKS, { closing });

  expect(summary).toMatch(
    /Waiting for .*\n\nCloses Fri 18:00 UTC \(change freeze “\\\*Year\\\* end”\): an apply that has not begun by then waits\.\n\n/,
  );
});

test('a check run says nothing of windows while none closes', () => {
  expect(renderCheckRun({ deployment }, LINKS).summary).not.toContain('Closes');
});
