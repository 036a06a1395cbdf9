/** `nereid config explain`: the settings of one root, from files at hand. */
import { explainRoot } from '@nereid/config/explain';
import type { Call } from '../../call.ts';
import { EXIT, wrongUsage, type ExitCode } from '../../exit-code.ts';
import { showExplanation } from '../../show/explanation.ts';
import { findRootAtHand, unknownRepository } from './root-at-hand.ts';

export async function explainConfig(call: Call): Promise<ExitCode> {
  const [subject] = call.given.all('SUBJECT');
  if (subject === undefined) throw wrongUsage('config explain needs a root, like acme/infra/network');
  const { server, repository, found } = await findRootAtHand(call, subject);
  const { config: root, realDir, declaredIn } = found;
  const explained = explainRoot({ server, repository, root, realDir, ...(declaredIn && { declaredIn }) });
  if (explained === undefined) throw unknownRepository(server, repository);
  call.json(explained);
  showExplanation(call.screen, explained);
  return EXIT.done;
}
