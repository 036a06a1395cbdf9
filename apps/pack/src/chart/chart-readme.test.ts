import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { chartReadme } from './chart-readme.ts';

const CHART = path.join(import.meta.dirname, '../../../chart');

test('a value has its default, and what stands above it', () => {
  const readme = chartReadme('# The gateway.\ngateway:\n  # How many.\n  replicas: 2\n  # Its name.\n  host: ""\n');

  expect(readme).toContain('## gateway\n\nThe gateway.\n\n');
  expect(readme).toContain('| `gateway.replicas` | `2` | How many. |\n| `gateway.host` |  | Its name. |');
});

test('a group of values is a row of its own only where something is said of it', () => {
  const readme = chartReadme(
    'gateway:\n  # Of KEDA.\n  scaling:\n    # Whether.\n    on: false\n  tls:\n    # A file.\n    file: ""\n',
  );

  expect(readme).toContain('| `gateway.scaling` |  | Of KEDA. |\n| `gateway.scaling.on` | `false` | Whether. |');
  expect(readme).not.toContain('| `gateway.tls` |');
});

test('a mapping whose entries say nothing is one value', () => {
  expect(chartReadme('a:\n  # The disk.\n  volume: { size: 1Gi, class: "" }\n')).toContain(
    '| `a.volume` | `{"size":"1Gi","class":""}` | The disk. |',
  );
});

test('the README of the chart says of each value what values.yaml says; `make chart-readme` writes it', async () => {
  const values = await readFile(path.join(CHART, 'values.yaml'), 'utf8');

  expect(await readFile(path.join(CHART, 'README.md'), 'utf8')).toBe(chartReadme(values));
});
