import { expect, test } from '@jest/globals';
import { discoverRoots } from '../discover-roots.ts';
import { createParsedFiles } from '../parsed-files.ts';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf } from '../testing/tree-of.ts';

/** Roots of one directory and workspace, whose workflows choose their backends. */
function twins(...names: readonly string[]) {
  const projects = names.map((name) => `- { dir: app, name: ${name}, workflow: ${name} }\n`);
  return { 'app/main.tf': '', 'atlantis.yaml': `version: 3\nprojects:\n${projects.join('')}` };
}

test.each([
  ['one that goes is reported, though another one stays', ['eu', 'us'], ['eu'], ['us']],
  ['none is where one comes', ['eu'], ['eu', 'us'], []],
  ['none is where it gets another name', ['eu'], ['us'], []],
])('of roots in the same directory and workspace, %s', async (_what, before, after, gone) => {
  const found = await discoverRoots({
    ...{ tree: treeOf(twins(...after)), before: treeOf(twins(...before)) },
    ...{ policy: anyPolicy(), parsed: createParsedFiles(), changed: ['atlantis.yaml'] },
  });

  expect(found).toMatchObject({ kind: 'roots', deleted: gone });
});
