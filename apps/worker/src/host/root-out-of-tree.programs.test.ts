import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { withOrder } from '../testing/test-signatures.ts';
import { hostsOfEachTest } from './testing/test-hosts.ts';

const hosts = hostsOfEachTest();

test('nothing is read of a root that is a link out of its tree: its plan says so', async () => {
  const elsewhere = join(hosts.stateDir, 'elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'main.tf'), 'terraform {\n  required_version = "= 0.0.1"\n}\n');
  const job = await hosts.deploy({ out: { link: elsewhere } });
  const ordered = await withOrder({ ...job, root: { ...job.root, dir: 'out' } });

  expect(await hosts.openHost().plan(ordered)).toMatchObject({
    kind: 'failed',
    failure: { body: { summary: 'expected the directory out in this revision, found a link that leads out of it' } },
  });
});
