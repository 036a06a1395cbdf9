/** Builds the images of a version of Nereid with an engine, from base images that are made here. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../../toolchain/environment.ts';
import { parseDockerfile } from '../dockerfile.ts';
import { DOCKERFILE } from './image-folder.ts';
import { REPOSITORY, readRepositoryFile } from '../../repository.ts';
import { importBaseImages } from './base-images.ts';
import type { Engine } from './engine.ts';

export const PROCESSES = ['gateway', 'worker', 'console'] as const;

export interface Version {
  /** Of its sources. */
  readonly folder: string;
  /** Of its images. */
  readonly tag: string;
}

export const TODAY: Version = { folder: REPOSITORY, tag: 'latest' };

/** Two minutes; beside others many times that. */
const BUILD_TIMEOUT_MS = 20 * 60_000;

/** What is made here has the names of the images that ours begin from, and not their digests. */
const DIGESTS = /@sha256:[0-9a-f]{64}/g;

/** `scratch` is a folder for a file. An earlier version begins from the base images of today: no others can be made here. */
export async function buildImages(engine: Engine, version: Version, scratch: string, env: Environment): Promise<void> {
  const bases = basesOf(withoutDigests(await readRepositoryFile(DOCKERFILE)));
  // Another import of the same would be another image, and what begins from it would be built again.
  const there = (await engine.docker(['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}'])).split('\n');
  const missing = bases.filter((name) => !there.includes(name));
  await importBaseImages(engine, missing, env);
  const text = withBases(withoutDigests(await readFile(path.join(version.folder, DOCKERFILE), 'utf8')), bases);
  const dockerfile = path.join(scratch, `Dockerfile.${version.tag}`);
  await writeFile(dockerfile, text);
  for (const target of PROCESSES) {
    const image = `nereid-${target}:${version.tag}`;
    const options = ['--network', 'host', '--file', dockerfile, '--target', target, '--tag', image];
    await engine.docker(['build', ...options, version.folder], BUILD_TIMEOUT_MS);
  }
}

function withoutDigests(dockerfile: string): string {
  return dockerfile.replaceAll(DIGESTS, '');
}

function basesOf(dockerfile: string): readonly string[] {
  const stages = parseDockerfile(dockerfile);
  return [...new Set([...stages.values()].map(({ from }) => from))].filter((from) => !stages.has(from));
}

function withBases(dockerfile: string, bases: readonly string[]): string {
  return bases.reduce((text, base) => {
    const [name = ''] = base.split(':');
    return text.replaceAll(new RegExp(`^FROM ${name}:\\S+`, 'gm'), `FROM ${base}`);
  }, dockerfile);
}
