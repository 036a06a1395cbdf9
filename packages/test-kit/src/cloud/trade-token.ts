/**
 * Plays a cloud that trades tokens of other issuers for its own credentials. It knows the URL of an issuer, and what its operator
 * wrote about it, and nothing else of whoever made the token. The limits are those that the three clouds document.
 */
import { createPublicKey, verify } from 'node:crypto';

export type CloudName = 'aws' | 'google' | 'azure';

/** What the operator of the cloud wrote. */
export interface Trust {
  readonly issuer: string;
  readonly audience: string;
  /** On AWS, `*` stands for any text (`StringLike`). */
  readonly subject: string;
  /** On Google, what the attribute condition asks for. */
  readonly claims?: Readonly<Record<string, string>>;
}

export type Traded =
  { readonly kind: 'traded'; readonly claims: Claims } | { readonly kind: 'refused'; readonly why: string };

export type Claims = Readonly<Record<string, unknown>>;

interface CloudRules {
  readonly algorithms: readonly string[];
  /** In bytes. */
  readonly subjectLimit: number;
  readonly tokenLimit: number;
  /** From `iat` to `exp`, in seconds. */
  readonly lifeLimit: number;
}

const RULES: Readonly<Record<CloudName, CloudRules>> = {
  aws: { algorithms: ['RS256', 'RS384', 'RS512'], subjectLimit: 255, tokenLimit: 20_000, lifeLimit: Infinity },
  google: { algorithms: ['RS256'], subjectLimit: 127, tokenLimit: 20_000, lifeLimit: 48 * 3_600 - 1 },
  azure: { algorithms: ['RS256'], subjectLimit: 600, tokenLimit: 20_000, lifeLimit: Infinity },
};

/** `now` in milliseconds since 1970. */
export async function tradeToken(cloud: CloudName, trust: Trust, token: string, now = Date.now()): Promise<Traded> {
  const rules = RULES[cloud];
  const parts = token.split('.');
  const [head = '', body = '', signature = ''] = parts;
  if (parts.length !== 3 || token.length > rules.tokenLimit) return refused('no token');
  const header = objectIn(Buffer.from(head, 'base64url').toString());
  if (!rules.algorithms.includes(String(header['alg']))) return refused(`the algorithm ${String(header['alg'])}`);
  const key = await keyOf(trust.issuer, header['kid']);
  if (key === undefined) return refused('a key that the issuer does not publish');
  const publicKey = createPublicKey({ key, format: 'jwk' });
  if (!verify('RSA-SHA256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url')))
    return refused('another signature');
  const claims = objectIn(Buffer.from(body, 'base64url').toString());
  const why = whyNot(cloud, trust, claims, now / 1_000);
  return why === undefined ? { kind: 'traded', claims } : refused(why);
}

function refused(why: string): Traded {
  return { kind: 'refused', why };
}

async function keyOf(issuer: string, id: unknown): Promise<Claims | undefined> {
  const discovery = await documentAt(`${issuer}/.well-known/openid-configuration`);
  if (discovery['issuer'] !== issuer) return undefined;
  const { keys } = await documentAt(String(discovery['jwks_uri']));
  const all = Array.isArray(keys) ? (keys as readonly Claims[]) : [];
  return all.find(({ kid, use, kty }) => kid === id && use === 'sig' && kty === 'RSA');
}

async function documentAt(url: string): Promise<Claims> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(30_000) });
  if (!response.ok || !String(response.headers.get('Content-Type')).startsWith('application/json')) return {};
  return objectIn(await response.text());
}

function whyNot(cloud: CloudName, trust: Trust, claims: Claims, now: number): string | undefined {
  const { subjectLimit, lifeLimit } = RULES[cloud];
  const { iss, aud, sub, iat, nbf, exp } = claims;
  if (typeof iat !== 'number' || typeof nbf !== 'number' || typeof exp !== 'number') return 'no times';
  if (iss !== trust.issuer) return `the issuer ${String(iss)}`;
  if (aud !== trust.audience) return `the audience ${String(aud)}`;
  if (exp <= now) return 'an expired token';
  if (iat > now || nbf > now) return 'a token of the future';
  if (exp - iat > lifeLimit) return `a life of ${exp - iat} s`;
  if (typeof sub !== 'string' || Buffer.byteLength(sub) > subjectLimit) return 'a subject that is too long';
  if (!matches(cloud, trust.subject, sub)) return `the subject ${sub}`;
  const wrong = Object.entries(trust.claims ?? {}).find(([name, value]) => claims[name] !== value);
  return wrong && `another ${wrong[0]}`;
}

/** Only AWS has wildcards; both others compare. */
function matches(cloud: CloudName, wanted: string, subject: string): boolean {
  if (cloud !== 'aws') return subject === wanted;
  const pattern = wanted.replaceAll(/[.+^${}()|[\]\\?]/g, String.raw`\$&`).replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`).test(subject);
}

function objectIn(text: string): Claims {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}
