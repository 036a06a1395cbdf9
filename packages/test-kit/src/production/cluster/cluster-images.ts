/** The images of a cluster, as a file: no registry is reached. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from '../../repository.ts';
import type { Environment } from '../../toolchain/environment.ts';
import { buildImages, PROCESSES, TODAY } from '../images/build-images.ts';
import { startEngine } from '../images/engine.ts';

/** The archive of all images. */
export const IMAGES = path.join(REPOSITORY, 'dist/cluster/images.tar');

export const REGISTRY = 'registry.example.org/acme';

/** What keeps the namespaces of a pod, as long as there is one. */
export const PAUSE = `${REGISTRY}/pause:1`;

/** Those of one version under two tags: an upgrade replaces the pods. */
export const TAGS = ['first', 'second'] as const;

const SAVED_WITHIN_MS = 10 * 60_000;

const PAUSE_DOCKERFILE = `FROM nereid-gateway
USER 0
ENTRYPOINT ["sleep"]
CMD ["infinity"]
`;

/** Builds the images of today, and writes the archive. */
export async function saveImages(env: Environment): Promise<void> {
  await mkdir(path.dirname(IMAGES), { recursive: true });
  const scratch = await mkdtemp(path.join(tmpdir(), 'cluster-images-'));
  const engine = await startEngine(env);
  try {
    await buildImages(engine, TODAY, scratch, env);
    await writeFile(path.join(scratch, 'Dockerfile'), PAUSE_DOCKERFILE);
    await engine.docker(['build', '--tag', PAUSE, scratch]);
    const names = PROCESSES.flatMap((process) =>
      TAGS.map((tag) => [process, `${REGISTRY}/nereid-${process}:${tag}`] as const),
    );
    for (const [process, name] of names) await engine.docker(['tag', `nereid-${process}`, name]);
    await engine.docker(['save', '--output', IMAGES, PAUSE, ...names.map(([, name]) => name)], SAVED_WITHIN_MS);
  } finally {
    await engine.stop();
    await rm(scratch, { recursive: true });
  }
}
