/** What Prometheus and Grafana ask for is what the processes tell, and every alert says what to do. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { alertsIn, dashboardQueries, METRIC, metricsIn, readAlerts, type Alert } from './alerts.ts';
import { readRepositoryFile, REPOSITORY } from '../repository.ts';

let alerts: readonly Alert[];
let queries: readonly string[];
let guide: ReadonlySet<string>;

beforeAll(async () => {
  alerts = await readAlerts();
  queries = await dashboardQueries();
  guide = documented(await readRepositoryFile('apps/docs/reference/metrics.md'));
});

describe('each alert', () => {
  test('says in a sentence what it is about, and how bad that is', () => {
    expect(alerts.length).toBeGreaterThan(20);
    for (const { alert, labels, annotations } of alerts) {
      const told = [/^Nereid[A-Z]/.test(alert), ['critical', 'warning'].includes(labels['severity'] ?? '')];
      expect([alert, ...told, annotations['description']?.endsWith('.')]).toEqual([alert, true, true, true]);
      expect(annotations['summary']).toMatch(/^\S.{5,70}[^.]$/);
    }
  });

  test('has a runbook, which says what it means, what to do, what not, and when it is over', async () => {
    const runbooks = await readRepositoryFile('apps/docs/operate/runbooks.md');
    const sections = new Map(
      runbooks.split(/^## /m).map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
    );

    for (const { alert, annotations } of alerts) {
      expect(annotations['runbook_url']).toBe(`apps/docs/operate/runbooks.md#${alert.toLowerCase()}`);
      const parts = (sections.get(alert) ?? '').matchAll(/\n\n\*\*(?<part>[A-Z][a-z ]+?)\.?\*\*/g);
      const titles = Array.from(parts, ({ groups }) => groups?.['part']);
      expect([alert, titles]).toEqual([alert, ['Means', 'Do', 'Do not', 'Over']]);
    }
  });

  test('has a test for promtool', async () => {
    const tests = await readRepositoryFile('.config/production/prometheus/nereid.rules.test.yml');

    expect(alerts.map(({ alert }) => alert).filter((alert) => !tests.includes(`alertname="${alert}"`))).toEqual([]);
  });
});

test('no runbook is left over', async () => {
  const runbooks = await readRepositoryFile('apps/docs/operate/runbooks.md');

  const titles = Array.from(runbooks.matchAll(/^## (?<title>.*)$/gm), ({ groups }) => groups?.['title']);

  expect(titles).toEqual(alerts.map(({ alert }) => alert));
});

describe('the guide to the metrics', () => {
  test('has each metric that a process tells, and no other', async () => {
    const told = await namesInSources();

    expect([...guide].filter((name) => name.startsWith('nereid_')).toSorted()).toEqual(told);
  });

  test('has all that alerts and dashboard ask for', () => {
    const asked = [...alerts.map(({ expr }) => expr), ...queries].flatMap(metricsIn);

    expect(queries.length).toBeGreaterThan(30);
    expect(asked.filter((name) => !guide.has(name) && !PROMETHEUS_OWN.includes(name))).toEqual([]);
  });
});

test("names follow Prometheus' conventions: base units, and `_total` for counters", async () => {
  const types = new Map(await typesInSources());

  for (const [name, type] of types) {
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'Counter']);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|kb|mb|percent)(_|$)/);
    if (type === 'Histogram') expect(name).toMatch(/_seconds$/);
  }
});

test('the dashboard takes its data from a source that is chosen there, and each panel has a title', async () => {
  const dashboard = JSON.parse(await readRepositoryFile('.config/production/grafana/nereid.json')) as {
    readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
    readonly panels: readonly { readonly title: string; readonly type: string; readonly datasource?: object }[];
  };

  expect(dashboard.templating.list).toMatchObject([{ name: 'datasource', type: 'datasource', query: 'prometheus' }]);
  for (const { title, type, datasource } of dashboard.panels) {
    expect(title).not.toBe('');
    if (type !== 'row') expect([title, datasource]).toEqual([title, { type: 'prometheus', uid: '${datasource}' }]);
  }
});

test('the parts of a query are told from its metrics', () => {
  expect(metricsIn('max by (nereid_label) (rate(nereid_a_seconds_bucket{b="nereid_c"}[5m])) > nereid_d_total')).toEqual(
    ['nereid_a_seconds', 'nereid_d_total'],
  );
  expect(alertsIn('groups: [{ name: a, rules: [{ record: b, expr: c }] }]')).toEqual([]);
});

/** Prometheus makes them. */
const PROMETHEUS_OWN = ['up', 'ALERTS'];

/** The first column of each table. */
function documented(markdown: string): ReadonlySet<string> {
  return new Set(
    Array.from(
      markdown.matchAll(/^\| `(?<name>[a-z_]+_[a-z_]+)` +\|/gm),
      ({ groups }) => groups?.['name'] ?? '',
    ).concat(
      Array.from(markdown.matchAll(/`(?<name>(process|nodejs)_[a-z0-9_]+)`/g), ({ groups }) => groups?.['name'] ?? ''),
    ),
  );
}

async function namesInSources(): Promise<readonly string[]> {
  const names = (await sources()).flatMap((text) => Array.from(text.matchAll(METRIC), ([, name = '']) => name));
  return [...new Set(names)].toSorted();
}

/** Of metrics that are made where they are named. */
async function typesInSources(): Promise<readonly (readonly [string, string])[]> {
  const made = /new (?<type>Counter|Gauge|Histogram)\(\{\s*name: '(?<name>nereid_\w+)'/g;
  return (await sources()).flatMap((text) =>
    Array.from(text.matchAll(made), ({ groups }) => [groups?.['name'] ?? '', groups?.['type'] ?? ''] as const),
  );
}

async function sources(): Promise<readonly string[]> {
  const folders = ['apps/gateway', 'apps/worker', 'apps/console', 'packages/process'];
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(path.join(REPOSITORY, folder, 'src'), { recursive: true });
      return names
        .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$|\btesting\b/.test(name))
        .map((name) => path.join(REPOSITORY, folder, 'src', name));
    }),
  );
  return Promise.all(files.flat().map((file) => readFile(file, 'utf8')));
}
