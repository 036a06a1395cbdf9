import { openPromise, type ZipFile } from 'yauzl';
import { HEAD_BYTES, stateVersionIn } from './state-version.ts';

/** Where Terraform and OpenTofu keep the state that a plan was made of, in the zip that a plan is. */
const STATE_FILE = 'tfstate';

/** Terraform and OpenTofu write the state second, and the files of the configuration, of which there may be thousands, last. */
const FILES_LOOKED_AT = 10;

/**
 * The state that a plan was made of, as `<serial> <lineage>`: the two by which Terraform itself knows that a state has changed.
 * Undefined where the plan does not tell: one that is encrypted, or was made by a remote run. Code of the root may have written it:
 * whatever its size and its content, no more than a few kilobytes of it are read. Throws only failures of the file system.
 */
export async function readStateVersion(planFile: string): Promise<string | undefined> {
  try {
    const zip = await openPromise(planFile, { lazyEntries: true });
    return stateVersionIn(await headOf(zip, STATE_FILE));
  } catch (error) {
    if (isOfFileSystem(error)) throw error;
    return undefined;
  }
}

/** Errors of the zip have no system call. */
function isOfFileSystem(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}

/** The beginning of a file in a zip; empty when the zip has no such file near its beginning. */
async function headOf(zip: ZipFile, name: string): Promise<string> {
  let looked = 0;
  for await (const entry of zip.eachEntry()) {
    looked += 1;
    if (entry.fileName === name) return await beginningOf(await zip.openReadStreamPromise(entry));
    if (looked === FILES_LOOKED_AT) break;
  }
  return '';
}

async function beginningOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let head = Buffer.alloc(0);
  for await (const chunk of stream) {
    head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    if (head.length >= HEAD_BYTES) break;
  }
  return head.toString('utf8', 0, HEAD_BYTES);
}
