/**
 * Extracts one file from a zip archive whose checksum was verified before. Node has no reader for zip archives, and not every
 * machine has one. The layout is that of APPNOTE.TXT, 4.3: the directory at the end tells where each file is.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const END_SIZE = 22;
const ENTRY_SIZE = 46;
const FILE_HEADER_SIZE = 30;
const DEFLATED = 8;

/** Extracts the file with this name. Throws when the file is missing or not deflated. */
export async function unzipOne(archive: string, name: string, target: string): Promise<void> {
  const bytes = await readFile(archive);
  const entry = entriesOf(bytes).find((candidate) => candidate.name === name);
  if (entry?.method !== DEFLATED) throw new Error(`expected a deflated ${name} in ${archive}`);
  await writeFile(target, await promisify(inflateRaw)(contentOf(bytes, entry)));
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly size: number;
  readonly headerAt: number;
}

function entriesOf(bytes: Buffer): readonly Entry[] {
  // An archive comment may follow the end record, so the record is looked for from the end.
  const endAt = bytes.lastIndexOf(Buffer.from(Uint32Array.of(END_OF_DIRECTORY).buffer));
  if (endAt < 0 || endAt + END_SIZE > bytes.length) throw new Error('expected a zip archive');
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(endAt + 16);
  for (let left = bytes.readUInt16LE(endAt + 10); left > 0; left -= 1) {
    const nameLength = bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString('utf8', at + ENTRY_SIZE, at + ENTRY_SIZE + nameLength),
      method: bytes.readUInt16LE(at + 10),
      size: bytes.readUInt32LE(at + 20),
      headerAt: bytes.readUInt32LE(at + 42),
    });
    at += ENTRY_SIZE + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function contentOf(bytes: Buffer, { headerAt, size }: Entry): Buffer {
  const start = headerAt + FILE_HEADER_SIZE + bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28);
  return bytes.subarray(start, start + size);
}
