import type { Call } from '../../call.ts';
import { EXIT, ExitError, wrongUsage } from '../../exit-code.ts';
import { askYesOrNo } from '../../output/ask.ts';

/**
 * Asks once, unless `--yes` was typed. Throws when the person does not agree, or when there is no terminal; `instead` says then what
 * does without one.
 */
export async function agree({ given, world }: Call, question: string, instead: string): Promise<void> {
  if (given.has('yes')) return;
  if (world.stdin.isTTY !== true || world.stderr.isTTY !== true)
    throw wrongUsage(`expected a terminal to ask on, found none: ${instead}`);
  if (!(await askYesOrNo(world, question))) throw new ExitError(EXIT.refused, 'Nothing was done.');
}
