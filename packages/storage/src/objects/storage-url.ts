import { InvalidStorageUrlError } from '../errors.ts';

/** A prefix is empty, or ends in `/`. */
export type StorageAddress = FolderAddress | S3Address | GsAddress | AzAddress;

export interface FolderAddress {
  readonly kind: 'file';
  readonly folder: string;
}

export interface S3Address {
  readonly kind: 's3';
  readonly bucket: string;
  readonly prefix: string;
}

export interface GsAddress {
  readonly kind: 'gs';
  readonly bucket: string;
  readonly prefix: string;
}

export interface AzAddress {
  readonly kind: 'az';
  readonly account: string;
  readonly container: string;
  readonly prefix: string;
}

const FILE = /^file:(?:\/\/)?(?<folder>\/(?!\/)[^?#]*)$/;
const S3 = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[^?#]*))?$/;
const GS = /^gs:\/\/(?<bucket>[a-z0-9][a-z0-9._-]{1,220}[a-z0-9])(?:\/(?<prefix>[^?#]*))?$/;
const AZ = /^az:\/\/(?<account>[a-z0-9]{3,24})\/(?<container>[a-z0-9][a-z0-9-]{1,61}[a-z0-9])(?:\/(?<prefix>[^?#]*))?$/;

export function parseStorageUrl(url: string): StorageAddress {
  const { folder } = FILE.exec(url)?.groups ?? {};
  if (folder !== undefined) return { kind: 'file', folder: decodeFolder(folder) };
  const { bucket, prefix: inS3 } = S3.exec(url)?.groups ?? {};
  if (bucket !== undefined) return { kind: 's3', bucket, prefix: asPrefix(inS3) };
  const { bucket: gsBucket, prefix: inGs } = GS.exec(url)?.groups ?? {};
  if (gsBucket !== undefined) return { kind: 'gs', bucket: gsBucket, prefix: asPrefix(inGs) };
  const { account, container, prefix: inAz } = AZ.exec(url)?.groups ?? {};
  if (account !== undefined && container !== undefined)
    return { kind: 'az', account, container, prefix: asPrefix(inAz) };
  throw new InvalidStorageUrlError(`something that begins with ${JSON.stringify(url.slice(0, 5))}`);
}

function asPrefix(written = ''): string {
  const trimmed = written.replace(/\/+$/, '');
  return trimmed === '' ? '' : `${trimmed}/`;
}

function decodeFolder(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new InvalidStorageUrlError('a folder with a broken % escape', { cause });
  }
}
