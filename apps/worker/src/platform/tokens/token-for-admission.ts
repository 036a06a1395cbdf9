/** Control seals the first token of a deployment when it admits it, so that its host does not have to ask. */
import type { Order, SealedReadToken } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import type { Logger } from 'pino';
import type { SealReadToken } from './seal-read-token.ts';

export type TokenForAdmission = (order: Signed<Order>) => Promise<Signed<SealedReadToken> | undefined>;

export interface AdmissionTokenOptions {
  readonly seal: SealReadToken;
  readonly logger: Pick<Logger, 'warn'>;
  /** For tests. */
  readonly withinMs?: number;
}

/** Like the first check run, it holds up no deployment. */
const WITHIN_MS = 1_000;

/** Returns a function that answers undefined where the host has to ask: there was no token in time, or nobody ordered this. */
export function createTokenForAdmission({
  seal,
  logger,
  withinMs = WITHIN_MS,
}: AdmissionTokenOptions): TokenForAdmission {
  return (order) => {
    const sealed = seal({ version: 1, order }).catch((err: unknown) => {
      logger.warn({ err, deployment: order.body.id }, 'no token was sealed with an admission: its host asks for one');
      return undefined;
    });
    return Promise.race([sealed, afterwards(withinMs)]);
  };
}

function afterwards(ms: number): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  setTimeout(() => {
    resolve(undefined);
  }, ms).unref();
  return promise;
}
