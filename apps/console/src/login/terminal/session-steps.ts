/** How a session from a terminal goes on, and how it ends. */
import type { LogoutAnswer, SessionAnswer } from '@nereid/api';
import { unauthorised } from '../../access/reading.ts';
import type { Login } from '../create-login.ts';
import { answerOf, messageOf, type Step } from './step.ts';

/** Throws a `ProviderUnavailableError`. */
export async function renewSession({ terminalSessions }: Login, text: string): Promise<Step> {
  const renewed = await terminalSessions.renew(text);
  if (renewed.kind === 'refused') return messageOf(unauthorised(renewed.why));
  return answerOf({ session: renewed.text } satisfies SessionAnswer);
}

/** With new tokens when the old ones have ended: those of them that go on are what has to end. Throws a `ProviderUnavailableError`. */
export async function logOut({ terminalSessions, provider }: Login, text: string): Promise<Step> {
  const renewed = await terminalSessions.renew(text);
  if (renewed.kind === 'refused') return messageOf(unauthorised(renewed.why));
  await provider.revoke(renewed.session.tokens, 'here');
  await terminalSessions.end(renewed.session);
  return answerOf({ sentence: 'You are logged out here.' } satisfies LogoutAnswer);
}
