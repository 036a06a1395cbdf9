import type { Scene } from './scene.ts';

/** One sentence of the story, which plays itself. Throws when it does not end as the sentence says. */
export interface Step {
  readonly title: string;
  play(scene: Scene): Promise<void>;
}
