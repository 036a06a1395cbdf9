/** `node main.ts VERB`: makes what a release consists of, from this clone, below dist. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chartReadme } from './chart/chart-readme.ts';
import { pack } from './pack.ts';
import { chart, check, dryRun, publish, sign, type Step } from './release/steps.ts';
import { raiseVersion } from './release/version.ts';

const TOP = path.join(import.meta.dirname, '../../..');

const VERBS: Readonly<Record<string, (step: Step) => Promise<void>>> = {
  package: async ({ top, folder, print }) => {
    print(path.relative(top, await pack({ top, folder })));
  },
  'chart-readme': async ({ top }) => {
    const values = await readFile(path.join(top, 'apps/chart/values.yaml'), 'utf8');
    await writeFile(path.join(top, 'apps/chart/README.md'), chartReadme(values));
  },
  version: async ({ top, print }) => {
    const { version, changes } = await raiseVersion(top);
    print(`${version}: ${changes} changes went into CHANGELOG.md.`);
  },
  check,
  sign,
  chart,
  publish,
  'dry-run': dryRun,
};

const [verb = ''] = process.argv.slice(2);
const run = VERBS[verb];
if (run === undefined) throw new Error(`expected one of ${Object.keys(VERBS).join(', ')}, found ${verb}`);
const folder = path.join(TOP, 'dist', ...(['publish', 'dry-run'].includes(verb) ? ['release'] : []));
const print = (line: string) => process.stdout.write(`${line}\n`);
await run({ top: TOP, folder, variables: process.env, print });
