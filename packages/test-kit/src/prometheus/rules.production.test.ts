/** The alerts and the dashboard, as Prometheus itself judges them. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { dashboardQueries, RULES } from '../production/alerts.ts';
import { REPOSITORY } from '../repository.ts';
import { folderOfThisFile } from '../testing/folders.ts';
import { runTool } from '../toolchain/run-tool.ts';
import { findPrometheus } from './find-prometheus.ts';

const FOLDER = path.join(REPOSITORY, path.dirname(RULES));

/** A hundred made-up hours are judged within seconds. */
const TIMEOUT_MS = 120_000;

let promtool: string;
const folder = folderOfThisFile();

beforeAll(async () => {
  ({ promtool } = await findPrometheus(process.env, () => undefined));
});

const run = (...argv: readonly string[]) =>
  runTool({ argv: [promtool, ...argv], env: process.env, timeoutMs: TIMEOUT_MS });

test('every rule is one, and so is the configuration of Prometheus beside them', async () => {
  expect(await run('check', 'rules', path.join(REPOSITORY, RULES))).toContain('SUCCESS');
  expect(await run('check', 'config', path.join(FOLDER, 'prometheus.yml'))).toContain('SUCCESS');
});

test('each alert fires for what it is for, and none in an installation that is well', async () => {
  expect(await run('test', 'rules', path.join(FOLDER, 'nereid.rules.test.yml'))).toContain('SUCCESS');
});

test('every query of the dashboard is one', async () => {
  const queries = (await dashboardQueries()).map((query) => query.replaceAll('$__rate_interval', '5m'));
  const rules = queries.map((expr, index) => ({ record: `dashboard:${index}`, expr }));
  const file = path.join(folder, 'dashboard.yml');
  await writeFile(file, stringify({ groups: [{ name: 'dashboard', rules }] }));

  expect(await run('check', 'rules', file)).toContain('SUCCESS');
});
