/** The files of a release, with their digests. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { packChart, type ChartAddress } from '../chart/pack-chart.ts';
import { pack } from '../pack.ts';
import { CHANGELOG, notesOf } from './changelog.ts';
import { versionOf } from './version.ts';

export interface Artefact {
  /** Its path. */
  readonly file: string;
  /** 64 hex digits. */
  readonly sha256: string;
}

export interface ReleaseFiles {
  readonly version: string;
  readonly artefacts: readonly Artefact[];
  /** The path of what the page of the release says. */
  readonly notes: string;
}

/** Room for the list of all packages. */
const SBOM_BYTES = 64 * 1024 * 1024;

export const CHECKSUMS = 'SHA256SUMS';

/** Makes them in a folder, which is emptied first. */
export async function makeArtefacts(top: string, folder: string, address?: ChartAddress): Promise<ReleaseFiles> {
  await rm(folder, { recursive: true, force: true });
  const version = await versionOf(top);
  const program = await pack({ top, folder });
  const chart = await packChart({ top, folder, ...(address && { address }) });
  const sbom = path.join(folder, `nereid-${version}.cdx.json`);
  await writeFile(sbom, await sbomOf(top));
  const artefacts = await Promise.all([program, chart, sbom].map((file) => artefactOf(file)));
  await writeFile(path.join(folder, CHECKSUMS), checksumsOf(artefacts));
  const notes = path.join(folder, 'notes.md');
  await writeFile(notes, notesOf(await readFile(path.join(top, CHANGELOG), 'utf8'), version) ?? '');
  return { version, artefacts, notes };
}

async function artefactOf(file: string): Promise<Artefact> {
  return {
    file,
    sha256: createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  };
}

/** As `sha256sum --check` reads it, in the folder of the files. */
export function checksumsOf(artefacts: readonly Artefact[]): string {
  return artefacts.map(({ file, sha256 }) => `${sha256}  ${path.basename(file)}\n`).join('');
}

/** The packages that the command line installs, as CycloneDX. The images have lists of their own. */
async function sbomOf(top: string): Promise<string> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', '--workspace=apps/cli'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: top, maxBuffer: SBOM_BYTES });
  return stdout;
}
