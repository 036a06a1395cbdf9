/** The workflows of GitHub, which cannot run here: judged by actionlint, and held to what the Makefile and the Dockerfile have. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findActionlint } from '@nereid/test-kit/release-tools';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const TOP = path.join(import.meta.dirname, '../../../..');
const FOLDER = '.github/workflows';

/** Building it takes half a minute, the first time; a slow line and a single core many times that. */
const BUILT_WITHIN_MS = 20 * 60_000;

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly Step[];
  readonly 'timeout-minutes'?: number;
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

const read = (file: string) => readFile(path.join(TOP, file), 'utf8');

const NAMES = (await readdir(path.join(TOP, FOLDER))).map((name) => `${FOLDER}/${name}`);

describe.each(NAMES)('%s', (name) => {
  let text: string;
  let workflow: Workflow;
  let steps: readonly Step[];

  beforeAll(async () => {
    text = await read(name);
    workflow = parse(text) as Workflow; // Judged by actionlint.
    steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  });

  test(
    'is a workflow to actionlint',
    async () => {
      const actionlint = await findActionlint(process.env);

      // It would have shellcheck and pyflakes look at scripts, where a machine has them; there are no scripts.
      const judged = promisify(execFile)(actionlint, ['-no-color', '-shellcheck=', '-pyflakes=', name], { cwd: TOP });

      await expect(judged).resolves.toMatchObject({ stdout: '' });
    },
    BUILT_WITHIN_MS,
  );

  test('takes actions by the digest of a version, which Renovate reads', () => {
    const lines = text.split('\n').filter((line) => /\buses: /.test(line));

    expect(lines).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of lines) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('runs targets of the Makefile, and nothing else', async () => {
    const targets = Array.from((await read('Makefile')).matchAll(/^([a-z-]+):/gm), ([, target]) => `make ${target}`);

    const runs = steps.flatMap(({ run }) => run ?? []);

    expect(runs).not.toEqual([]);
    expect(runs.filter((run) => !targets.includes(run))).toEqual([]);
  });

  test('may do nothing by itself, and each job what it names', () => {
    expect(workflow.permissions).toEqual({});
    for (const job of Object.values(workflow.jobs)) {
      expect(job.permissions).toBeDefined();
      expect(job['timeout-minutes']).toBeGreaterThan(0);
    }
  });

  test('leaves no token in its checkout', () => {
    for (const { uses, with: given } of steps)
      if (uses?.startsWith('actions/checkout@')) expect(given).toEqual({ 'persist-credentials': false });
  });
});

test('the documentation is built for the address below which Pages serves it, and one job alone may publish it', async () => {
  const { jobs } = parse(await read(`${FOLDER}/docs.yml`)) as Workflow;

  const { steps = [], permissions } = jobs['build'] ?? {};
  expect(steps.find(({ run }) => run === 'make docs')?.env).toEqual({
    DOCS_BASE: '/${{ github.event.repository.name }}/',
  });
  expect(steps.at(-1)?.with).toEqual({ path: 'dist/docs' });
  expect(await read('apps/docs/src/site-config.ts')).toContain("outDir: path.join(TOP, 'dist/docs')");
  expect(permissions).toEqual({ contents: 'read' });
  expect(jobs['publish']?.permissions).toEqual({ pages: 'write', 'id-token': 'write' });
});

test('the images of a release are those of the Dockerfile, for both kinds of machine, with their lists and origins', async () => {
  const { jobs } = parse(await read(`${FOLDER}/release.yml`)) as Workflow;
  const dockerfile = await read('.config/production/Dockerfile');

  const { strategy, steps } = jobs['images'] ?? { steps: [] };
  const build = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
  for (const process of strategy?.matrix['process'] ?? [])
    expect(dockerfile).toMatch(new RegExp(`AS ${process}$`, 'm'));
  expect(strategy?.matrix).toEqual({ process: ['gateway', 'worker', 'console'] });
  expect(build?.with).toMatchObject({
    file: '.config/production/Dockerfile',
    platforms: 'linux/amd64,linux/arm64',
    sbom: true,
    provenance: 'mode=max',
  });
});
