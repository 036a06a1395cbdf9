/** The steps of `.github/workflows/release.yml`, each of which is a target of the Makefile. */
import { appendFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { packChart, type ChartAddress } from '../chart/pack-chart.ts';
import { pushChart } from '../chart/push-chart.ts';
import { makeArtefacts, type Artefact } from './artefacts.ts';
import { problemsOfRelease } from './check-release.ts';
import { buildImagesHere } from './images-here.ts';
import { publishPage, signFiles, signImage } from './publish.ts';
import { versionOf } from './version.ts';

export interface Step {
  readonly top: string;
  /** Where files of the release go. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
}

/** Ends the release where its commit is not what its tag says, and tells later jobs its names. */
export async function check(step: Step): Promise<void> {
  const tag = step.variables['TAG'] ?? '';
  const problems = await problemsOfRelease(step.top, tag === '' ? undefined : tag);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const version = await versionOf(step.top);
  step.print(`Version ${version} may be released.`);
  await output(step, { version, registry: registryOf(step) });
}

/** `IMAGE` is one by its digest, `PROCESS` what later jobs call the digest. */
export async function sign(step: Step): Promise<void> {
  const image = required(step, 'IMAGE');
  await signImage(image);
  step.print(`Signed ${image}`);
  const name = step.variables['PROCESS'] ?? '';
  if (name !== '') await output(step, { [name]: image.slice(image.indexOf('@') + 1) });
}

/** Packs the chart with `DIGESTS` of the images, pushes it, and signs it. */
export async function chart(step: Step): Promise<void> {
  const address = addressOf(step);
  const archive = await packChart({ top: step.top, folder: step.folder, address });
  const { registry } = address;
  // Only a registry on this machine, as tests start it, speaks without TLS.
  const plainHttp = /^(127\.0\.0\.1|localhost):/.test(registry);
  const home = step.variables['HOME'] ?? '';
  const credentials = home === '' ? undefined : path.join(home, '.docker/config.json');
  const image = await pushChart({ archive, registry, plainHttp, credentials });
  await signImage(image);
  step.print(`Pushed and signed ${image}`);
}

/** Makes the files of the release, signs them, and puts them on its page. */
export async function publish(step: Step): Promise<void> {
  const { artefacts, notes } = await makeArtefacts(step.top, step.folder, addressOf(step));
  const files = (await readdir(step.folder)).map((name) => path.join(step.folder, name));
  await signFiles(files.filter((file) => file !== notes));
  for (const line of linesOf(step, artefacts)) step.print(line);
  await publishPage({ tag: required(step, 'TAG'), folder: step.folder, notes });
}

/** All files as far as one machine makes them, with `IMAGES` its images too; nothing leaves it. */
export async function dryRun(step: Step): Promise<void> {
  const problems = await problemsOfRelease(step.top);
  const { version, artefacts } = await makeArtefacts(step.top, step.folder);
  step.print(`Nereid ${version}`);
  for (const line of linesOf(step, artefacts)) step.print(line);
  if ((step.variables['IMAGES'] ?? '') === '') step.print('No images: IMAGES=here builds them, as root, in minutes.');
  else for (const { id, name } of await buildImagesHere(step.variables)) step.print(`${id}  ${name}`);
  for (const problem of problems) step.print(`Not yet: ${problem}`);
}

function linesOf({ top }: Step, artefacts: readonly Artefact[]): readonly string[] {
  return artefacts.map(({ file, sha256 }) => `sha256:${sha256}  ${path.relative(top, file)}`);
}

/** Registries know small letters alone. */
function registryOf(step: Step): string {
  const given = step.variables['REGISTRY'] ?? '';
  if (given !== '') return given;
  const [owner = ''] = required(step, 'REPOSITORY').split('/');
  return `ghcr.io/${owner.toLowerCase()}`;
}

function addressOf(step: Step): ChartAddress {
  const pairs = (step.variables['DIGESTS'] ?? '').split(' ').filter((pair) => pair !== '');
  const digests = Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', digest = ''] = /^([a-z]+)=(sha256:[0-9a-f]{64})$/.exec(pair) ?? [];
      if (name === '') throw new Error(`DIGESTS: expected gateway=sha256:…, found ${pair}`);
      return [name, digest];
    }),
  );
  return { repository: required(step, 'REPOSITORY'), registry: registryOf(step), digests };
}

function required({ variables }: Step, name: string): string {
  const value = variables[name] ?? '';
  if (value === '') throw new Error(`${name}: expected a value, found none`);
  return value;
}

/** GitHub hands the lines of this file to later steps and jobs. */
async function output({ variables }: Step, values: Readonly<Record<string, string>>): Promise<void> {
  const file = variables['GITHUB_OUTPUT'] ?? '';
  if (file === '') return;
  await appendFile(
    file,
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
}
