import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { testdir } from '../../fixtures/fixture.ts';
import { constraintsOf, readRequiredVersion } from './required-version.ts';

test('it is read from the terraform block', () => {
  const hcl = `
    resource "a" "b" {}
    terraform {
      required_providers { x = { version = "~> 1.0" } }
      required_version = "~> 1.5" # a comment
      backend "local" {
        path = "a}b"
      }
    }`;

  expect(constraintsOf(hcl)).toEqual(['~> 1.5']);
});

test.each([
  [
    'a comment',
    'terraform {\n # required_version = "1.0"\n // required_version = "1.0"\n /* \nrequired_version = "1.0"\n */ }',
  ],
  ['a heredoc', 'locals {\n a = <<-EOT\nterraform {\nrequired_version = "1.0"\n}\n  EOT\n}'],
  ['a string', 'locals { a = "terraform {" \n required_version = "1.0" }'],
  ['another block', 'module "terraform" {\n required_version = "1.0"\n}'],
  ['a block within', 'terraform {\n cloud {\n required_version = "1.0"\n }\n}'],
  ['an expression', 'terraform {\n required_version = "${var.version}"\n}'],
])('a version in %s does not count', (_, hcl) => {
  expect(constraintsOf(hcl)).toEqual([]);
});

test('a block that follows a heredoc counts', () => {
  expect(constraintsOf('locals {\n a = <<EOT\n{{{\nEOT\n}\nterraform {\nrequired_version="1.2.3"\n}')).toEqual([
    '1.2.3',
  ]);
});

test('all files of a root are read, JSON too, and all must hold', async () => {
  await using root = await testdir({
    'a.tf': 'terraform {\n  required_version = ">= 1.3"\n}',
    'b.tf.json': '{"terraform": {"required_version": "< 2.0"}}',
    'broken.tf.json': '{',
    'notes.md': 'terraform {\n required_version = "9"\n}',
  });

  expect(await readRequiredVersion(root.path, 'terraform')).toBe('>= 1.3, < 2.0');
});

test.each([
  ['two keys of one object', '{"terraform":{"required_version":">= 1.3"},"terraform":{"required_version":"< 2.0"}}'],
  [
    'one key of the same name, written otherwise',
    '{"terraform":{"required_version":">= 1.3, < 2.0"},"terr\\u0061form":{}}',
  ],
  ['a list of blocks', '{"terraform":[{"required_version":">= 1.3"},{"required_version":"< 2.0"}]}'],
  ['a list of files', '[{"terraform":{"required_version":">= 1.3"}},{"terraform":{"required_version":"< 2.0"}}]'],
])('every block of a JSON file counts, as for Terraform: %s', async (_what, text) => {
  await using root = await testdir({ 'main.tf.json': text });

  expect(await readRequiredVersion(root.path, 'terraform')).toBe('>= 1.3, < 2.0');
});

test('each program reads its own files: OpenTofu leaves out the one for which it has another', async () => {
  const constraint = (version: string) => `terraform {\n  required_version = "${version}"\n}`;
  await using root = await testdir({
    'versions.tf': constraint('>= 1.3'),
    'versions.tofu': constraint('>= 1.9'),
    'b.tf.json': '{"terraform": {"required_version": "< 2.0"}}',
    'c.tofu.json': '{"terraform": {"required_version": "< 3.0"}}',
    '.hidden.tf': constraint('9'),
  });

  expect(await readRequiredVersion(root.path, 'terraform')).toBe('< 2.0, >= 1.3');
  expect(await readRequiredVersion(root.path, 'tofu')).toBe('< 2.0, < 3.0, >= 1.9');
});

test('a link to a device is not read', async () => {
  await using root = await testdir();
  await symlink('/dev/zero', path.join(root.path, 'endless.tf'));

  expect(await readRequiredVersion(root.path, 'terraform')).toBeUndefined();
});
