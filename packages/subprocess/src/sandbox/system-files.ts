import { existsSync, realpathSync } from 'node:fs';
import type { SandboxFile } from './sandbox.ts';

/** Programs and libraries. */
const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** What programs need to find users, hosts, certificates and libraries. None is a secret. */
const SETTINGS = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'group',
  'gai.conf',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'passwd',
  'pki/ca-trust',
  'pki/tls/cert.pem',
  'pki/tls/certs',
  'protocols',
  'resolv.conf',
  'services',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
  'timezone',
].map((name) => `/etc/${name}`);

/** The files of the system that any program may read. Links are followed, because their targets may be elsewhere. */
export function systemFiles(): readonly SandboxFile[] {
  return [...PROGRAMS, ...SETTINGS]
    .filter((path) => existsSync(path))
    .map((at) => ({ path: realpathSync(at), at, access: 'read', isOfSystem: true }) as const);
}
