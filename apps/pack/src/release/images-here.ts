/** The images as one machine builds them: for its own kind, and from base images that are made on it, because no registry is reached. */
import { buildImages, PROCESSES, TODAY } from '@nereid/test-kit/images';
import { startEngine } from '@nereid/test-kit/engine';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface BuiltImage {
  readonly name: string;
  /** `sha256:…`, which is not that of the release: its base images are the pinned ones. */
  readonly id: string;
}

/** Needs root, and minutes. Nothing of them stays. */
export async function buildImagesHere(
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly BuiltImage[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nereid-images-'));
  const engine = await startEngine(env);
  try {
    await buildImages(engine, TODAY, folder, env);
    const names = PROCESSES.map((target) => `nereid-${target}`);
    const ids = await engine.docker(['image', 'inspect', '--format', '{{.Id}}', ...names]);
    return ids
      .trim()
      .split('\n')
      .map((id, at) => ({ id, name: names[at] ?? '' }));
  } finally {
    await engine.stop();
    await rm(folder, { recursive: true });
  }
}
