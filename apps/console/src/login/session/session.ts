/** What a session is, and how it is sealed. */
import type { JWTPayload } from 'jose';
import { z } from 'zod';
import type { LoginTokens } from '../provider/provider.ts';
import type { SealedPurpose, Sealer } from './sealer.ts';

export interface Session {
  /** New with each login, so that nobody can set one before it. */
  readonly id: string;
  /** When the person logged in, in milliseconds since 1970. */
  readonly since: number;
  readonly tokens: LoginTokens;
}

/** A working day; then the provider has its say again. */
const TOTAL_MS = 12 * 3_600_000;

const Claims = z.object({
  sid: z.uuid(),
  since: z.number(),
  iat: z.number(),
  tokens: z.object({
    proof: z.discriminatedUnion('mode', [
      z.object({ mode: z.literal('github'), token: z.string() }),
      z.object({ mode: z.literal('oidc'), idToken: z.string() }),
    ]),
    refreshToken: z.string().exactOptional(),
    expiresAt: z.number().exactOptional(),
  }),
});

export interface SealedSession extends Session {
  /** In milliseconds since 1970. */
  readonly sealedAt: number;
}

/** Undefined for what is no session, and for one that is over. */
export function sessionIn(claims: JWTPayload | undefined): SealedSession | undefined {
  const read = Claims.safeParse(claims);
  if (!read.success || read.data.since + TOTAL_MS <= Date.now()) return undefined;
  const { sid: id, since, iat, tokens } = read.data;
  return { id, since, tokens, sealedAt: iat * 1_000 };
}

/** When it ends in any case, in milliseconds since 1970. */
export function endOf({ since }: Pick<Session, 'since'>): number {
  return since + TOTAL_MS;
}

/** For how many seconds it goes on at most. */
export function restOf(session: Pick<Session, 'since'>): number {
  return Math.ceil((endOf(session) - Date.now()) / 1_000);
}

export interface Sealing {
  readonly purpose: SealedPurpose;
  readonly lifeS: number;
  /** In characters. */
  readonly limit: number;
}

/** Undefined when it is too long, also without its refresh token. */
export async function sealSession(
  sealer: Sealer,
  { id: sid, since, tokens }: Session,
  { purpose, lifeS, limit }: Sealing,
): Promise<string | undefined> {
  const { refreshToken: _long, ...shorter } = tokens;
  for (const kept of [tokens, shorter]) {
    const text = await sealer.seal(purpose, { sid, since, tokens: kept }, lifeS);
    if (text.length <= limit) return text;
  }
  return undefined;
}
