/** How a session from a terminal goes on, and how it ends. */
import type { LogoutAnswer, SessionAnswer } from '@nereid/api';
import { ProviderUnavailableError } from '@nereid/identity';
import type { Logger } from 'pino';
import type { Session } from '../session/session.ts';
import { unauthorised } from '../visitor/unauthorised.ts';
import { answerOf, messageOf, type Step } from './step.ts';
import type { TerminalLogin } from './terminal-login.ts';

/** Throws a `ProviderUnavailableError`. */
export async function renewSession({ terminalSessions }: TerminalLogin, text: string): Promise<Step> {
  const renewed = await terminalSessions.renew(text);
  if (renewed.kind === 'refused') return messageOf(unauthorised(renewed.why));
  return answerOf({ session: renewed.text } satisfies SessionAnswer);
}

/** First here, where nobody but storage is asked; then at the provider, which may be away. */
export async function logOut(login: TerminalLogin, text: string, logger: Pick<Logger, 'warn'>): Promise<Step> {
  const ended = await login.terminalSessions.end(text);
  if (ended.kind === 'refused') return messageOf(unauthorised(ended.why));
  const isRevoked = await revoke(login, ended.session, logger);
  const sentences = [
    'You are logged out here.',
    ...(ended.areOthersTold ? [] : [NOT_TOLD]),
    ...(isRevoked ? [] : [NOT_REVOKED]),
  ];
  return answerOf({ sentence: sentences.join(' ') } satisfies LogoutAnswer);
}

/** With new tokens when the old ones have ended: those of them that go on are what has to end. False when the provider is away. */
async function revoke(
  { terminalSessions, provider }: TerminalLogin,
  session: Session,
  logger: Pick<Logger, 'warn'>,
): Promise<boolean> {
  try {
    const tokens = await terminalSessions.tokensLeft(session);
    if (tokens !== undefined) await provider.revoke(tokens, 'here');
    return true;
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error;
    logger.warn({ err: error }, 'a login from a terminal could not be ended at its provider');
    return false;
  }
}

const NOT_TOLD = 'Storage could not be told, so a copy of the session would count at other consoles until it ends.';
const NOT_REVOKED = 'The provider could not be told: to be safe, end the login on its own pages.';
