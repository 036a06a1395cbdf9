/** The chart as users of a release get it: with the addresses and digests of that release, and without links to other files. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseDocument, stringify } from 'yaml';
import { helm } from './helm.ts';

export interface ChartAddress {
  /** `acme/nereid`, on GitHub. */
  readonly repository: string;
  /** Where its images are: `ghcr.io/acme`. */
  readonly registry: string;
  /** By process: `sha256:…`. Without them, the chart names its images by its version. */
  readonly digests: Readonly<Record<string, string>>;
}

export interface ChartPacking {
  readonly top: string;
  /** The folder that gets the archive. */
  readonly folder: string;
  /** Unknown in a dry run. */
  readonly address?: ChartAddress;
}

/** Returns the path of the archive, `nereid-chart-<version>.tgz`. */
export async function packChart({ top, folder, address }: ChartPacking): Promise<string> {
  const staging = await mkdtemp(path.join(tmpdir(), 'nereid-chart-'));
  const chart = path.join(staging, 'nereid');
  try {
    await cp(path.join(top, 'apps/chart'), chart, { recursive: true, dereference: true });
    await cp(path.join(top, 'LICENSE'), path.join(chart, 'LICENSE'));
    const version = await edit(path.join(chart, 'Chart.yaml'), (text) => withAddress(text, address));
    if (address) {
      await edit(path.join(chart, 'values.yaml'), (text) => withImages(text, address));
      await edit(path.join(chart, 'README.md'), (text) => readmeWith(text, versionIn(version), address));
    }
    await mkdir(folder, { recursive: true });
    await helm(['package', chart, '--destination', staging]);
    // The package of the command line has the name that Helm gives.
    const name = `nereid-chart-${versionIn(version)}.tgz`;
    await cp(path.join(staging, `nereid-${versionIn(version)}.tgz`), path.join(folder, name));
    return path.join(folder, name);
  } finally {
    await rm(staging, { recursive: true });
  }
}

/** Chart.yaml with where the chart comes from, and which images it starts. */
export function withAddress(text: string, address: ChartAddress | undefined): string {
  if (address === undefined) return text;
  const { repository, registry, digests } = address;
  const document = parseDocument(text);
  const source = `https://github.com/${repository}`;
  const tag = `v${versionIn(text)}`;
  document.set('home', source);
  document.set('sources', [source]);
  document.set('icon', `https://raw.githubusercontent.com/${repository}/${tag}/apps/chart/icon.svg`);
  document.setIn(['annotations', 'artifacthub.io/links'], stringify(linksTo(source, tag)));
  const images = Object.entries(digests).map(([name, digest]) => ({
    name: `nereid-${name}`,
    image: `${registry}/nereid-${name}@${digest}`,
    platforms: ['linux/amd64', 'linux/arm64'],
  }));
  if (images.length > 0) document.setIn(['annotations', 'artifacthub.io/images'], stringify(images));
  return document.toString({ lineWidth: 0 });
}

/** The values whose default a release knows. */
export function withImages(text: string, { registry, digests }: ChartAddress): string {
  const document = parseDocument(text);
  document.setIn(['image', 'registry'], registry);
  for (const [name, digest] of Object.entries(digests)) document.setIn(['image', 'digests', name], digest);
  return document.toString({ lineWidth: 0 });
}

/** The README as people read it without the repository beside it. */
export function readmeWith(text: string, version: string, { repository, registry }: ChartAddress): string {
  const folder = `https://github.com/${repository}/tree/v${version}/apps`;
  return text
    .replaceAll('ghcr.io/OWNER', registry)
    .replaceAll('--version VERSION', `--version ${version}`)
    .replaceAll('](../', `](${folder}/`)
    .replaceAll(/\]\((?!https:)/g, `](${folder}/chart/`);
}

export function versionIn(chart: string): string {
  return String(parseDocument(chart).get('version'));
}

function linksTo(source: string, tag: string): readonly object[] {
  return [
    { name: 'guide', url: `${source}/blob/${tag}/apps/docs/guides/kubernetes.md` },
    { name: 'changes', url: `${source}/blob/${tag}/CHANGELOG.md` },
  ];
}

async function edit(file: string, change: (text: string) => string): Promise<string> {
  const text = change(await readFile(file, 'utf8'));
  await writeFile(file, text);
  return text;
}
