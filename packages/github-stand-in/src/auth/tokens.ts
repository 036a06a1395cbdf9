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

/** Makes a token; `ghs_` for installations and `ghp_` for people, as on GitHub. */
export function mintToken(store: Store, holder: Token['holder']): MintedToken {
  forgetExpired(store);
  const prefix = holder.kind === 'installation' ? 'ghs_' : 'ghp_';
  const token = prefix + randomBytes(27).toString('base64url').replaceAll(/[-_]/g, 'x');
  const expiresAt = timestamp(Date.now() + TOKEN_LIFE_MS);
  store.state.tokens.push({ hash: hashOf(token), expiresAt, holder });
  store.changed();
  return { token, expiresAt };
}

/** The holder of this token; undefined if the token was never made or has expired. */
export function findTokenHolder(store: Store, token: string): Token['holder'] | undefined {
  const hash = hashOf(token);
  return store.state.tokens.find((each) => each.hash === hash && Date.parse(each.expiresAt) > Date.now())?.holder;
}

function forgetExpired(store: Store): void {
  store.state.tokens = store.state.tokens.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now());
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
