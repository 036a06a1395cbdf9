import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../error-code.ts';
import { syncFolder } from '../objects/folder/folders.ts';
import { KEY_BYTES } from './plan-keys.ts';

/** The key file cannot be used as it is. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
  readonly code = 'KEY_FILE';
  readonly path: string;

  constructor(path: string, why: string) {
    super(`the key file ${path} ${why}`);
    this.path = path;
  }
}

/**
 * Reads the keys of kept plans from a file of base64 lines, the newest first. Makes the file with one random key when
 * there is none; processes that start at the same time get the same key. Throws `KeyFileError` when the file is open to
 * other users, or when it holds anything else.
 */
export async function readOrMakeKeyFile(path: string): Promise<readonly Uint8Array[]> {
  return (await readKeyFile(path)) ?? (await makeKeyFile(path));
}

async function readKeyFile(path: string): Promise<readonly Uint8Array[] | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  try {
    // Somebody else on this machine may have read the key already.
    if (((await file.stat()).mode & 0o077) !== 0) throw new KeyFileError(path, 'is open to other users: chmod 600 it');
    return parseKeys(path, await file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

function parseKeys(path: string, text: string): readonly Uint8Array[] {
  const keys = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Buffer.from(line, 'base64'));
  if (keys.length > 0 && keys.every((key) => key.length === KEY_BYTES)) return keys;
  throw new KeyFileError(
    path,
    `should hold lines of base64, each of ${KEY_BYTES} bytes: restore it, or remove it and plan again`,
  );
}

async function makeKeyFile(path: string): Promise<readonly Uint8Array[]> {
  const staged = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeSynced(staged, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
    await linkUnlessThere(staged, path);
    await syncFolder(dirname(path));
  } finally {
    await rm(staged, { force: true });
  }
  const keys = await readKeyFile(path);
  if (keys === undefined) throw new KeyFileError(path, 'was removed while it was being made: start again');
  return keys;
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A link fails when the file exists; a rename would replace the key that another process has just made. */
async function linkUnlessThere(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
