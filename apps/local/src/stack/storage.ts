/** Where records, plans, logs and the audit trail go: a folder and a file, or moto's S3 and SNS. */
import type { AuditEvent } from '@nereid/domain/trail';
import { openObjectStore, type ObjectStore } from '@nereid/storage';
import { installMoto } from '@nereid/test-kit';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { startCloud, type CloudOptions } from './cloud.ts';
import type { Folders } from './folders.ts';

export interface Storage {
  readonly kind: StorageKind;
  /** The parts of the server's file about storage and the audit trail. */
  readonly policy: { readonly storage: StoragePolicy; readonly audit: object };
  /** The environment variables that processes need to reach the storage. */
  readonly environment: Readonly<Record<string, string>>;
  /** For what is written besides the processes. The caller closes it. */
  openObjects(what: 'deployments' | 'logs'): Promise<ObjectStore>;
  /** The keys of everything stored about deployments. */
  recordKeys(): Promise<readonly string[]>;
  /** All events of the audit trail so far. */
  auditTrail(): Promise<readonly AuditEvent[]>;
  /** Rejects when the storage is gone although nobody stopped it. Never resolves. */
  readonly broken: Promise<never>;
  stop(): Promise<void>;
}

export type StorageKind = 'folder' | 's3';

export interface StoragePolicy {
  readonly deployments: string;
  readonly plans: string;
  readonly logs: string;
  readonly s3?: { readonly endpoint: string; readonly region: string; readonly path_style: boolean };
}

/** Installs the tools that the storage needs. Comes first, so that a missing one is reported before anything else is done. */
export async function prepareStorage(kind: StorageKind, options: Omit<CloudOptions, 'folders'>): Promise<void> {
  if (kind === 's3') await installMoto(options);
}

export function openStorage(kind: StorageKind, options: CloudOptions): Promise<Storage> {
  return kind === 's3' ? startCloud(options) : Promise.resolve(folderStorage(options.folders));
}

function folderStorage({ storage }: Folders): Storage {
  const auditFile = path.join(storage, 'audit.jsonl');
  const url = `file:${encodeURI(storage)}`;
  return {
    kind: 'folder',
    policy: {
      storage: { deployments: url, plans: url, logs: url },
      audit: { to: `file:${encodeURI(auditFile)}`, required: true },
    },
    environment: {},
    openObjects: () => openObjectStore(url),
    recordKeys: () => readdir(storage, { recursive: true }),
    auditTrail: () => readTrail(auditFile),
    broken: new Promise(() => undefined),
    stop: () => Promise.resolve(),
  };
}

async function readTrail(file: string): Promise<readonly AuditEvent[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  // The audit package wrote each line from an event.
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent);
}
