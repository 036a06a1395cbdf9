import { InvalidStorageUrlError } from '../errors.ts';

export type StorageAddress =
  | { readonly kind: 'file'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; /** Empty, or ends in `/`. */ readonly prefix: string };

export function parseStorageUrl(url: string): StorageAddress {
  const file = /^file:(?:\/\/)?(?<folder>\/(?!\/)[^?#]*)$/.exec(url)?.groups?.['folder'];
  if (file !== undefined) return { kind: 'file', folder: decodeFolder(file) };
  const { bucket, prefix } =
    /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[^?#]*))?$/.exec(url)?.groups ?? {};
  if (bucket === undefined)
    throw new InvalidStorageUrlError(`something that begins with ${JSON.stringify(url.slice(0, 5))}`);
  const trimmed = (prefix ?? '').replace(/\/+$/, '');
  return { kind: 's3', bucket, prefix: trimmed === '' ? '' : `${trimmed}/` };
}

function decodeFolder(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new InvalidStorageUrlError('a folder with a broken % escape', { cause });
  }
}
