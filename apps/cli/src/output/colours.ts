import type { Output, World } from '../world.ts';

/** On a terminal that has some, unless the person wants none: see no-color.org. */
export function hasColours(output: Output, { NO_COLOR: none = '', TERM: terminal }: World['env']): boolean {
  return output.isTTY === true && none === '' && terminal !== 'dumb';
}
