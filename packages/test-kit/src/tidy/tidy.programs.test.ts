import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  nothingIsLeftForLater,
  nothingStartsAShell,
  onlyProgramsPrint,
  onlyProgramsReadTheEnvironment,
  temporalIsReachedWithItsConverter,
} from './calls.ts';
import { workspacesAreDeclared } from './declared.ts';
import { englishIsReadOnce } from './english/english.ts';
import { layersListTheirWorkspaces } from './layer-readmes.ts';
import { filesAreShort, foldersAreSmall } from './lengths.ts';
import { linksLeadSomewhere, namedPagesExist } from './links.ts';
import { packagesHaveDigests, pythonPackagesHaveDigests } from './lock-file.ts';
import { namesAreKebabCase, namesSayWhatIsInside } from './names.ts';
import { nereidComesFromNoRegistry, noMachineIsNamed, noPackageHostIsNamed } from './places.ts';
import { repositoryFiles } from './repository-files.ts';
import { settingsAreListed } from './settings.ts';
import type { SourceFile } from './source-file.ts';
import { theTopLevelIsFixed } from './top-level.ts';
import { verbsSayWhatHappens } from './verbs.ts';

let files: readonly SourceFile[];

beforeAll(async () => {
  files = await repositoryFiles();
});

describe('in this repository', () => {
  test.each([
    ['the top level is fixed', theTopLevelIsFixed],
    ['names are kebab-case', namesAreKebabCase],
    ['names say what is inside', namesSayWhatIsInside],
    ['verbs say what happens', verbsSayWhatHappens],
    ['files are short', filesAreShort],
    ['folders are small', foldersAreSmall],
    ["a layer's README lists its workspaces", layersListTheirWorkspaces],
    ['links of documents lead somewhere', linksLeadSomewhere],
    ['pages that are named exist', namedPagesExist],
    ['imported workspaces are declared', workspacesAreDeclared],
    ['every setting stands in the reference', settingsAreListed],
    ['only programs read the environment', onlyProgramsReadTheEnvironment],
    ['only programs print', onlyProgramsPrint],
    ['nothing starts a shell', nothingStartsAShell],
    ['Temporal is reached with its converter', temporalIsReachedWithItsConverter],
    ['nothing is left for later', nothingIsLeftForLater],
    ['English is read once', englishIsReadOnce],
    ['no host of packages is named', noPackageHostIsNamed],
    ['no machine is named', noMachineIsNamed],
    ['nereid comes from no registry', nereidComesFromNoRegistry],
    ['packages have digests', packagesHaveDigests],
    ['packages of Python have digests', pythonPackagesHaveDigests],
  ])('%s', (_title, rule) => {
    expect(rule(files)).toEqual([]);
  });
});
