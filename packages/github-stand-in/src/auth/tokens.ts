import { createHash, randomBytes } from 'node:crypto';
import type { Token } from '../state/model.ts';
import { timestamp, type Store } from '../state/store.ts';

/** The same lifetime as GitHub's installation tokens. */
const TOKEN_LIFE_MS = 60 * 60 * 1000;

interface MintedToken {
  /** Returned only here; the store keeps its hash. */
  readonly token: string;
  readonly expiresAt: string;
}

/** Makes a token; `ghs_` for installations, `ghp_` for people, `ghu_` for the App when it acts for one, as on GitHub. */
export function mintToken(store: Store, holder: Token['holder'], lifeMs = TOKEN_LIFE_MS): MintedToken {
  forgetExpired(store);
  const token = PREFIX[holder.kind] + randomBytes(27).toString('base64url').replaceAll(/[-_]/g, 'x');
  const expiresAt = timestamp(Date.now() + lifeMs);
  store.state.tokens.push({ hash: hashOf(token), expiresAt, holder });
  store.changed();
  return { token, expiresAt };
}

const PREFIX = { installation: 'ghs_', person: 'ghp_', user: 'ghu_' } as const;

/** The holder of this token; undefined if the token was never made or has expired. */
export function findTokenHolder(store: Store, token: string): Token['holder'] | undefined {
  return findToken(store, token)?.holder;
}

export function findToken(store: Store, token: string): Token | undefined {
  const hash = hashOf(token);
  return store.state.tokens.find((each) => each.hash === hash && Date.parse(each.expiresAt) > Date.now());
}

function forgetExpired(store: Store): void {
  store.state.tokens = store.state.tokens.filter(
    ({ expiresAt, holder }) => Date.parse(expiresAt) > Date.now() || (holder.kind === 'user' && holder.refreshHash),
  );
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
