import { createVerifier } from '@nereid/signature';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ConsoleConfig } from '../platform/config/config.ts';
import { createAskControl } from './ask-control.ts';
import { createAskGitHub } from './github/ask-github.ts';
import type { AskAccess } from './repository-access.ts';

/** People who log in with GitHub ask with their own token. For all others, scripts among them, control asks as the App. */
export function createAskAccess(
  { githubApiUrl, controlKeys }: Pick<ConsoleConfig, 'githubApiUrl' | 'controlKeys'>,
  client: Client,
  logger: Pick<Logger, 'warn'>,
): AskAccess {
  const askGitHub = createAskGitHub(githubApiUrl);
  const askControl = createAskControl({ client, verifier: createVerifier(controlKeys), logger });
  return (visitor, repositories) => (visitor.proof.mode === 'github' ? askGitHub : askControl)(visitor, repositories);
}
