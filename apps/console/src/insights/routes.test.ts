import { expect, test } from '@jest/globals';
import { Insights } from '@nereid/api';
import { aDeployment } from '@nereid/domain/testing';
import { aConsole, REPOSITORY } from '../testing.ts';

test('ended deployments are summed up, of all repositories or of one', async () => {
  const { get, records } = await aConsole({ isLocal: true });
  const deployment = aDeployment({ status: 'succeeded' });
  await records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: new Date().toISOString() });

  const all = Insights.parse(await (await get('/api/v1/insights?days=7')).json());
  const none = Insights.parse(await (await get('/api/v1/insights?days=7&repository=acme/other')).json());
  const page = await (await get('/insights?days=90&repository=')).text();

  expect(all.perDay.at(-1)).toMatchObject({ succeeded: 1, failed: 0 });
  expect(all.busiest).toEqual([{ repository: 'acme/infra', rootName: 'network', deployments: 1, failed: 0 }]);
  expect(none.busiest).toEqual([]);
  expect(page).toContain('<svg');
  expect(page).toContain('activity?repository=acme/infra&root=network');
  expect((await get('/insights?days=8')).status).toBe(400);
});
