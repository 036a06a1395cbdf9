import type { Verb } from '../verb.ts';
import { wrongUsage } from '../../exit-code.ts';

/** Each does something else, so there is at most one of them. */
const ALONE = ['once', 'history', 'reset'] as const;

export const demo: Verb = {
  name: 'demo',
  group: 'Set up',
  summary: 'start everything on this machine, and merge a sample pull request to look at',
  details: [
    'It starts a Temporal dev server, a stand-in for GitHub with sample repositories, and the processes of Nereid, and says where to look. It keeps its state in .nereid below the current folder, from where the next start goes on.',
    'The first start takes minutes: it fetches its tools, such as Temporal and Terraform, into a folder of the cache. It needs git, npm and bash.',
  ],
  options: [
    { name: 'once', summary: 'play the whole story without a person, and remove everything at the end' },
    { name: 'history', summary: 'make up a week of deployments, for the pages that look back' },
    { name: 'reset', summary: 'remove its state' },
    {
      name: 'storage',
      value: 'KIND',
      values: ['folder', 's3'],
      summary: 'where it keeps records, plans and logs (folder); s3 needs Python 3',
    },
  ],
  examples: [
    { command: 'nereid demo', does: 'until Ctrl-C' },
    { command: 'nereid demo --once', does: 'a check that everything works on this machine' },
  ],
  async run({ given, world }) {
    const asked = ALONE.filter((name) => given.has(name));
    if (asked.length > 1) throw wrongUsage(`expected one of --${ALONE.join(', --')}, found --${asked.join(' and --')}`);
    const { runDemo } = await import('../../demo/run-demo.ts');
    return runDemo({ args: asked.map((name) => `--${name}`), storage: given.option('storage'), world });
  },
};
