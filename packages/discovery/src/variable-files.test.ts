import { expect, test } from '@jest/globals';
import type { TestFiles } from '@nereid/git/testing';
import { discoverRoots } from './discover-roots.ts';
import { createParsedFiles } from './parsed-files.ts';
import { anyPolicy } from './testing/policy.ts';
import { treeOf } from './testing/tree-of.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';

const PROJECTS = `version: 3
projects:
  - { dir: app }
  - { dir: app, workspace: prod }
  - { dir: app, workspace: stage }
  - { dir: linked, workspace: prod }
autodiscover: { mode: enabled }
`;

async function variableFiles(files: TestFiles, changed = ['atlantis.yaml', ...Object.keys(files)]) {
  const tree = treeOf(files);
  const found = await discoverRoots({
    tree,
    policy: anyPolicy(),
    parsed: createParsedFiles(),
    changed,
  });
  if (found.kind === 'problems') throw new Error(JSON.stringify(found.problems));
  return Object.fromEntries(found.modified.map(({ root }) => [root.name, root.varFiles]));
}

const FILES: TestFiles = {
  'app/main.tf': BACKEND,
  'app/env/prod.tfvars': '',
  'app/env/default.tfvars': '',
  'app/env/stage.tfvars.json': '{}',
  'linked/main.tf': BACKEND,
  'linked/env': { link: '../app/env' },
  'found/main.tf': BACKEND,
  'found/env/default.tfvars': '',
};

test('as with Atlantis, a plan gets env/WORKSPACE.tfvars where its root has that file', async () => {
  expect(await variableFiles({ 'atlantis.yaml': PROJECTS, ...FILES })).toEqual({
    app: ['env/default.tfvars'],
    'app-prod': ['env/prod.tfvars'],
    'app-stage': [],
    'linked-prod': ['env/prod.tfvars'],
    found: ['env/default.tfvars'],
  });
});

test('a change of that file modifies the root', async () => {
  expect(Object.keys(await variableFiles({ 'atlantis.yaml': PROJECTS, ...FILES }, ['app/env/prod.tfvars']))).toContain(
    'app-prod',
  );
});

test('without atlantis.yaml, nobody gets such a file by its name', async () => {
  const declared =
    'version: 1\nroots: [{ name: app-prod, dir: app, workspace: prod }]\nautodiscover: { mode: enabled }\n';

  expect(await variableFiles({ 'nereid.yaml': declared, ...FILES })).toEqual({
    'app-prod': [],
    linked: [],
    found: [],
  });
});
