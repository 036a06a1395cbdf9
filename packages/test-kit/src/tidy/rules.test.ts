import { describe, expect, test } from '@jest/globals';
import {
  nothingIsLeftForLater,
  nothingStartsAShell,
  onlyProgramsPrint,
  onlyProgramsReadTheEnvironment,
  temporalIsReachedWithItsConverter,
} from './calls.ts';
import { workspacesAreDeclared } from './declared.ts';
import { layersListTheirWorkspaces } from './layer-readmes.ts';
import { filesAreShort, foldersAreSmall } from './lengths.ts';
import { linksLeadSomewhere, namedPagesExist } from './links.ts';
import { packagesHaveDigests, pythonPackagesHaveDigests } from './lock-file.ts';
import { namesAreKebabCase, namesSayWhatIsInside } from './names.ts';
import { nereidComesFromNoRegistry, noMachineIsNamed, noPackageHostIsNamed } from './places.ts';
import { settingsAreListed } from './settings.ts';
import type { SourceFile } from './source-file.ts';
import { theTopLevelIsFixed } from './top-level.ts';
import { verbsSayWhatHappens } from './verbs.ts';

describe('names', () => {
  test('are kebab-case, but for those that tools look for', () => {
    const problems = namesAreKebabCase([
      at('apps/local/src/freePort.ts'),
      at('apps/README.md'),
      at('.config/knip.jsonc'),
      at('apps/chart/Chart.yaml'),
      at('apps/chart/templates/_names.tpl'),
    ]);

    expect(problems).toEqual([expect.stringContaining('apps/local/src/freePort.ts')]);
  });

  test('of what was captured from others are theirs', () => {
    expect(namesAreKebabCase([at('packages/terraform/src/fixtures/Plan_1.5.7.txt')])).toEqual([]);
  });

  test.each(['packages/utils/src/index.ts', 'packages/git/src/helpers.ts', 'apps/core.test.ts'])(
    'that say nothing are refused: %s',
    (path) => {
      expect(namesSayWhatIsInside([at(path)])).toHaveLength(1);
    },
  );
});

describe('the name of a function', () => {
  test.each([
    ['exported', 'export async function bringBlobs(): Promise<void> {}', 'bringBlobs'],
    ['exported, and a verb alone', 'export function take(): void {}', 'take'],
    ['an exported constant', 'export const turnOf = () => 1;', 'turnOf'],
    ['exported in a list', "export {\n  a,\n  lookUp,\n} from './a.ts';", 'lookUp'],
    ['exported as another', "export { a as leaveTo } from './a.ts';", 'leaveTo'],
    ['private', '  function takeOne(): void {}', 'takeOne'],
    ['an activity', 'export interface LaneActivities {\n  tellLane(lane: string): Promise<void>;\n}', 'tellLane'],
  ])('does not begin with a verb that says nothing: %s', (_which, text, name) => {
    expect(verbsSayWhatHappens([at('packages/git/src/a.ts', text)])).toEqual([expect.stringContaining(`: ${name} `)]);
  });

  test.each([
    ['a longer word', 'export function tellersOf(): void {}\nexport const lookups = [];'],
    ['private, of the other verbs', 'function lookAt(): void {}'],
    ['what another module calls so', "export { take as accept } from './a.ts';"],
  ])('the name of a function may be %s', (_which, text) => {
    expect(verbsSayWhatHappens([at('packages/git/src/a.ts', text)])).toEqual([]);
  });
});

test('clients and workers of Temporal have the converter that seals', () => {
  const problems = temporalIsReachedWithItsConverter([
    at('apps/worker/src/bare.ts', 'await Worker.create({ connection })'),
    at('apps/console/src/client.ts', 'new Client({ connection })'),
    at('apps/worker/src/client.ts', 'new WorkflowClient({ connection })'),
    at('apps/worker/src/workers.ts', 'await Worker.create({ connection, dataConverter })'),
    at('apps/local/src/look.ts', 'new Client({ connection })'),
  ]);

  expect(problems).toEqual([
    expect.stringContaining('apps/worker/src/bare.ts: '),
    expect.stringContaining('apps/console/src/client.ts: '),
    expect.stringContaining('apps/worker/src/client.ts: '),
  ]);
});

test('a workspace that is imported is declared', () => {
  const problems = workspacesAreDeclared([
    at('apps/worker/package.json', '{ "name": "@nereid/worker", "dependencies": { "@nereid/git": "*" } }'),
    at('apps/worker/src/main.ts', "import {\n  a,\n} from '@nereid/git/testing';\nimport '@nereid/storage';"),
    at('apps/worker/src/worker.ts', "import { b } from '@nereid/storage';"),
  ]);

  expect(problems).toEqual(['apps/worker/package.json: does not name @nereid/storage, which its sources import']);
});

test('the top level takes what is in the layout, and what is hidden', () => {
  const problems = theTopLevelIsFixed([at('Makefile'), at('.ci/run'), at('apps/README.md'), at('scripts/release.sh')]);

  expect(problems).toEqual([expect.stringContaining('scripts')]);
});

test('a package of Python without a digest is refused', () => {
  const problems = pythonPackagesHaveDigests([
    at(
      'packages/test-kit/src/cloud/requirements.txt',
      `# moto\nmoto==5.2.5\nsix==1.17.0 \\\n    --hash=sha256:${'a'.repeat(64)}\n`,
    ),
    at('packages/test-kit/src/cloud/readme.txt', 'moto==5.2.5'),
  ]);

  expect(problems).toEqual([expect.stringContaining('requirements.txt: moto==5.2.5 has no --hash')]);
});

test('a file of 401 lines is too long, one of 400 is not', () => {
  const problems = filesAreShort([at('long.ts', '\n'.repeat(401)), at('short.ts', '\n'.repeat(400))]);

  expect(problems).toEqual([expect.stringContaining('long.ts: has 401 lines')]);
});

test('a folder of 21 sources is too large, one of 20 is not, whatever lies in folders below', () => {
  const inside = (folder: string, count: number) => Array.from({ length: count }, (_, n) => at(`${folder}/${n}.ts`));
  const problems = foldersAreSmall([...inside('large', 21), ...inside('small', 20), ...inside('small/below', 1)]);

  expect(problems).toEqual([expect.stringContaining('large: has 21 files')]);
});

describe("a layer's README", () => {
  test('lists each workspace that has sources', () => {
    const problems = layersListTheirWorkspaces([at('apps/README.md', '# Apps\n'), at('apps/gateway/src/main.ts')]);

    expect(problems).toEqual([expect.stringContaining('[gateway](gateway)')]);
  });

  test('lists nothing else', () => {
    const problems = layersListTheirWorkspaces([at('apps/README.md', '| [bench](bench) | measures |\n')]);

    expect(problems).toEqual([expect.stringContaining('lists bench')]);
  });
});

describe('a link of a document', () => {
  const guide = at('apps/disk.md', '# The disk of a [worker](worker)\n<a id="memory"></a>\n');
  const linking = (link: string) => [guide, at('apps/worker/main.ts'), at('README.md', `[there](${link})`)];

  test.each([
    'apps/disk.md',
    'apps/disk.md#the-disk-of-a-worker',
    'apps/disk.md#memory',
    'apps/worker',
    'https://a.org/b',
  ])('may lead to %s', (link) => {
    expect(linksLeadSomewhere(linking(link))).toEqual([]);
  });

  test.each(['apps/disks.md', 'apps/disk.md#providers', '#memory', 'worker'])('may not lead to %s', (link) => {
    expect(linksLeadSomewhere(linking(link))).toEqual([expect.stringContaining(`README.md: links to ${link}, `)]);
  });
});

describe('a page that is named', () => {
  // Spelled so that this file names none.
  const page = ['apps', 'docs', 'operate', 'disk.md'].join('/');
  const naming = (name: string) => [
    at(page, '# Disk\n## Providers\n'),
    at('apps/worker/src/a.ts', `'see ${name}, or'`),
  ];

  test.each([page, `${page}#providers`])('may be %s', (name) => {
    expect(namedPagesExist(naming(name))).toEqual([]);
  });

  test.each([page.replace('disk', 'disks'), `${page}#memory`])('may not be %s', (name) => {
    expect(namedPagesExist(naming(name))).toEqual([expect.stringContaining(`apps/worker/src/a.ts: names ${name}, `)]);
  });
});

describe('a setting', () => {
  const reading = at('apps/gateway/src/config.ts', "env.address('GATEWAY_ADDRESS').required()");

  test('that a process reads stands in the reference', () => {
    expect(settingsAreListed([reading])).toEqual([expect.stringContaining('GATEWAY_ADDRESS')]);
  });

  test('that stands in the reference is read by a process', () => {
    const reference = at('apps/docs/reference/environment.md', '| `GATEWAY_ADDRESS` | … |\n| `GATEWAY_COLOUR` | … |\n');

    expect(settingsAreListed([reading, reference])).toEqual([expect.stringContaining('GATEWAY_COLOUR')]);
  });
});

describe('calls', () => {
  const bin = at('packages/config/package.json', '{ "bin": { "nereid": "./src/check/cli.ts" } }');

  test('the environment is read by main.ts and bins alone', () => {
    const text = 'const path = process.env.PATH;';
    const problems = onlyProgramsReadTheEnvironment([
      bin,
      at('packages/config/src/check/cli.ts', text),
      at('apps/gateway/src/main.ts', text),
      at('apps/gateway/src/context.ts', text),
    ]);

    expect(problems).toEqual([expect.stringContaining('apps/gateway/src/context.ts')]);
  });

  test('a comment reads nothing', () => {
    const text = '/** Takes `process.env`. */\n// So process.env is an argument.\n';

    expect(onlyProgramsReadTheEnvironment([at('packages/config/src/env.ts', text)])).toEqual([]);
  });

  test('printing is for the programs that people start', () => {
    const text = "console.log('started');";
    const problems = onlyProgramsPrint([
      bin,
      at('packages/config/src/check/cli.ts', text),
      at('apps/local/src/story.ts', text),
      at('apps/worker/src/main.ts', text),
    ]);

    expect(problems).toEqual([expect.stringContaining('apps/worker/src/main.ts')]);
  });

  test.each(['await exec(`git log ${branch}`)', "spawn('git', [], { shell: true })"])(
    'a shell is refused: %s',
    (text) => {
      expect(nothingStartsAShell([at('packages/git/src/run-git.ts', text)])).toHaveLength(1);
    },
  );

  test('a regular expression is no shell', () => {
    expect(nothingStartsAShell([at('packages/git/src/names.ts', 'SHA.exec(line)')])).toEqual([]);
  });

  test.each(['// TO' + 'DO: retry', 'test' + ".only('x', () => {})"])('nothing is left for later: %s', (text) => {
    expect(nothingIsLeftForLater([at('packages/git/src/names.ts', text)])).toHaveLength(1);
  });
});

describe('the lock file', () => {
  const lock = (found: object) => [
    at('package-lock.json', JSON.stringify({ packages: { 'node_modules/zod': found } })),
  ];

  test.each([
    ['without a digest', { version: '4.6.7' }],
    ['without a digest for another platform', { version: '4.6.7', optional: true, os: ['darwin'], cpu: ['arm64'] }],
  ])('has no package %s', (_what, found) => {
    expect(packagesHaveDigests(lock(found))).toHaveLength(1);
  });

  test.each([
    ['with its digest', { version: '4.6.7', integrity: 'sha512-x' }],
    ['in the bundle of another', { version: '4.6.7', inBundle: true }],
    ['that is a workspace', { link: true }],
  ])('may have a package %s', (_what, found) => {
    expect(packagesHaveDigests(lock(found))).toEqual([]);
  });
});

describe('places', () => {
  test('a host of packages is left to the machine', () => {
    const text = `resolved: https://${['registry', 'npmjs', 'org'].join('.')}/zod`;

    expect(noPackageHostIsNamed([at('package-lock.json', text)])).toHaveLength(1);
  });

  test.each(['work', 'home/ada', 'Users/ada', 'root/.cache'])(
    'a folder of one machine is not named: /%s/',
    (folder) => {
      expect(noMachineIsNamed([at('Makefile', `cp /${folder}/nereid .`)])).toHaveLength(1);
    },
  );

  test.each(['np' + 'x nereid keys', 'np' + 'x --yes nereid', 'npm ex' + 'ec nereid', 'bu' + 'nx @nereid/cli'])(
    'a package of a registry is not run as ours: %s',
    (line) => {
      expect(nereidComesFromNoRegistry([at('README.md', `Run ${line}`)])).toHaveLength(1);
    },
  );

  test('the installed program may be named', () => {
    expect(nereidComesFromNoRegistry([at('README.md', 'nereid keys; npx prettier; npm install nereid.tgz')])).toEqual(
      [],
    );
  });

  test('a path that ends like one is left alone', () => {
    expect(noMachineIsNamed([at('apps/worker/src/config.ts', '/var/lib/nereid/work/acme')])).toEqual([]);
  });
});

function at(path: string, text = ''): SourceFile {
  return { path, text };
}
