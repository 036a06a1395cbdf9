/** Everything that a login with a session takes; undefined where people do not log in here. */
import type { LoginConfig } from '@nereid/config';
import type { Logger } from 'pino';
import type { ConsoleConfig } from '../platform/config/config.ts';
import { createLoginLimits } from './limits.ts';
import { createLoginAttempts, type LoginAttempts } from './login-attempt.ts';
import { createGitHubProvider } from './provider/github-provider.ts';
import { createOidcProvider } from './provider/oidc-provider.ts';
import type { LoginProvider } from './provider/provider.ts';
import { createEndedSessions, type EndedSessionsOptions } from './session/ended-sessions.ts';
import { createRefresh } from './session/refresh.ts';
import { createSealer } from './session/sealer.ts';
import { createSessions, type Sessions } from './session/sessions.ts';
import { createDeviceCodes } from './terminal/device-codes.ts';
import type { TerminalLogin } from './terminal/terminal-login.ts';
import { createTerminalSessions } from './terminal/terminal-sessions.ts';

export interface Login extends TerminalLogin {
  /** Of browsers. */
  readonly sessions: Sessions;
  readonly attempts: LoginAttempts;
}

export type LoginOptions = Pick<ConsoleConfig, 'githubApiUrl' | 'githubUrl' | 'trustedProxies'> & {
  readonly settings: ConsoleConfig['login'];
  /** Where all consoles of the installation find which sessions were ended. */
  readonly store: EndedSessionsOptions['store'];
  readonly logger: Pick<Logger, 'warn'>;
};

export function createLogin(login: LoginConfig | undefined, options: LoginOptions): Login | undefined {
  const { settings, store, logger } = options;
  const provider = providerOf(login, options);
  if (provider === undefined || login === undefined || !('clientId' in login)) return undefined;
  const issuer = login.mode === 'oidc' ? login.issuer : options.githubUrl;
  // What was sealed by another installation, or for another login before this one, opens nothing.
  const sealer = createSealer(settings.sessionKeys, `${settings.url ?? ''} ${issuer} ${login.clientId}`);
  const refresh = createRefresh(provider);
  const ended = createEndedSessions({ store, logger });
  return {
    provider,
    limits: createLoginLimits(options.trustedProxies),
    sessions: createSessions({ sealer, refresh, ended, logger }),
    attempts: createLoginAttempts(sealer),
    terminalSessions: createTerminalSessions({ sealer, refresh, ended }),
    deviceCodes: createDeviceCodes(sealer),
  };
}

/** The configuration was refused without what a login needs. */
function providerOf(login: LoginConfig | undefined, options: LoginOptions): LoginProvider | undefined {
  const { url = '', githubSecret, oidcSecret: secret } = options.settings;
  const redirectUri = `${url}/login/callback`;
  switch (login?.mode) {
    case 'github': {
      const { githubUrl, githubApiUrl: apiUrl } = options;
      if (githubSecret === undefined) return undefined;
      return createGitHubProvider({
        clientId: login.clientId,
        secret: githubSecret,
        url: githubUrl,
        apiUrl,
        redirectUri,
      });
    }
    case 'oidc': {
      const { issuer, clientId } = login;
      return createOidcProvider({ issuer, clientId, secret, redirectUri, afterLogoutUri: `${url}/login` });
    }
    case 'local':
    case 'proxy':
    case undefined:
      return undefined;
  }
}
