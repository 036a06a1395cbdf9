/** Tells a Temporal that will never answer, because one of the two sides does not trust the other, from one that is away. */
import { isIP } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import type { LocatedProblem } from '@nereid/config';
import type { TemporalConfig } from './temporal-config.ts';

/** A handshake takes two round trips, and a server that refuses a certificate says so with the third. */
const HANDSHAKE_MS = 3_000;
const SECOND_THOUGHTS_MS = 1_000;

const USUAL_PORT = 7_233;

/** Undefined when waiting may help. */
export async function whyUnreachable({ server }: Pick<TemporalConfig, 'server'>): Promise<LocatedProblem | undefined> {
  const { address = '' } = server;
  const { hostname, port } = new URL(`grpc://${address}`);
  const at = { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || USUAL_PORT), ALPNProtocols: ['h2'] };
  // An API key is sent with TLS only.
  const { tls = server.apiKey !== undefined } = server;
  const isOpen = tls === false || tls === null;
  const met = await shakeHands(isOpen ? { ...at, rejectUnauthorized: false } : { ...at, ...optionsOf(tls, at.host) });
  if (!isOpen) return met.code === undefined ? undefined : problemOf(met.code, met.reason, address);
  return met.isSecured ? speaksTls(address) : undefined;
}

function optionsOf(
  tls: true | Exclude<TemporalConfig['server']['tls'], boolean | null | undefined>,
  host: string,
): ConnectionOptions {
  const {
    serverRootCACertificate: ca,
    clientCertPair: pair,
    serverNameOverride: name = host,
  } = tls === true ? {} : tls;
  return {
    // TLS has no place for the name of a server that is known by its address; its certificate is compared with the address.
    ...(isIP(name) === 0 && { servername: name }),
    ...(ca && { ca: Buffer.from(ca) }),
    ...(pair && { cert: Buffer.from(pair.crt), key: Buffer.from(pair.key) }),
  };
}

interface Met {
  /** Whether the other side took part in the handshake. */
  readonly isSecured: boolean;
  /** Of Node or of OpenSSL; undefined when nothing went wrong. */
  readonly code?: string;
  readonly reason: string;
}

/** The server's last word comes after the handshake: there, TLS 1.3 lets it look at our certificate. */
function shakeHands(options: ConnectionOptions): Promise<Met> {
  return new Promise((resolve) => {
    const socket = connect(options);
    let isSecured = false;
    const end = (met: Omit<Met, 'isSecured'>) => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ isSecured, ...met });
    };
    let patience = setTimeout(end, HANDSHAKE_MS, SILENCE);
    socket.once('secureConnect', () => {
      isSecured = true;
      clearTimeout(patience);
      patience = setTimeout(end, SECOND_THOUGHTS_MS, SILENCE);
      socket.resume();
    });
    socket.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      end({ code, reason: message });
    });
    socket.once('close', () => {
      end(SILENCE);
    });
  });
}

const SILENCE = { reason: '' } as const;

function problemOf(code: string, reason: string, address: string): LocatedProblem | undefined {
  const known = DISTRUST.find(({ codes }) => codes.test(code));
  if (known === undefined) return undefined;
  const { path, expected, remedy } = known;
  return { path, message: `expected ${expected} at ${address}, found: ${wordsOf(reason)}; ${remedy}` };
}

/** OpenSSL writes `<thread>:error:<code>:<library>:<function>:<reason>:<file>:…`; Node writes a sentence, and sometimes advice after it. */
function wordsOf(reason: string): string {
  const openSsl = /^\w+:error:\w+:[^:]*:[^:]*:(?<words>[^:]+):/.exec(reason)?.groups?.['words'];
  return openSsl ?? reason.replace(/;.*/s, '').trim();
}

interface Distrust {
  /** What Node and OpenSSL call it. */
  readonly codes: RegExp;
  readonly path: string;
  readonly expected: string;
  readonly remedy: string;
}

const DISTRUST: readonly Distrust[] = [
  {
    codes: /ALTNAME_INVALID/,
    path: 'TEMPORAL_TLS_SERVER_NAME',
    expected: 'a server with the name in the address',
    remedy: 'set TEMPORAL_TLS_SERVER_NAME to the name in its certificate',
  },
  {
    codes: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    path: 'TEMPORAL_ADDRESS',
    expected: 'a server whose certificate is valid today',
    remedy: "renew the server's certificate, or set the clock of this machine",
  },
  {
    codes: /ALERT/,
    path: 'TEMPORAL_TLS_CLIENT_CERT_PATH',
    expected: 'a server that takes our certificate',
    remedy:
      'set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH to a certificate of an authority that it trusts',
  },
  {
    codes: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/,
    path: 'TEMPORAL_ADDRESS',
    expected: 'a server with TLS',
    remedy: 'set no TEMPORAL_TLS_… and no TEMPORAL_API_KEY, or let the server speak TLS',
  },
  {
    codes: /CERT|ISSUER|VERIFY|SIGNATURE/,
    path: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    expected: 'a server whose certificate is of an authority that we trust',
    remedy: "set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate of the server's authority",
  },
];

function speaksTls(address: string): LocatedProblem {
  const message = `expected a server without TLS at ${address}, because no TEMPORAL_TLS_… is set, found one with TLS; set TEMPORAL_TLS=true or TEMPORAL_TLS_SERVER_CA_CERT_PATH`;
  return { path: 'TEMPORAL_ADDRESS', message };
}
