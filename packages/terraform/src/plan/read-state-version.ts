import { createReadStream } from 'node:fs';
import { Unzip, UnzipInflate } from 'fflate';

/** Where Terraform and OpenTofu keep the state that a plan was made of, in the zip that a plan is. */
const STATE_FILE = 'tfstate';

/** Both stand at the top of the file, before anything that may be large. */
const HEAD =
  /^\s*\{\s*"version":\s*\d+,\s*"terraform_version":\s*"[^"]{0,100}",\s*"serial":\s*(\d{1,19}),\s*"lineage":\s*"([\w-]{0,100})"/;
const HEAD_BYTES = 1024;

/**
 * The state that a plan was made of, as `<serial> <lineage>`: the two by which Terraform itself knows that a state has changed.
 * Undefined where the plan does not tell: one that is encrypted, or was made by a remote run. Code of the root may have written it.
 */
export async function readStateVersion(planFile: string): Promise<string | undefined> {
  const [, serial, lineage] = HEAD.exec(await headOf(planFile, STATE_FILE)) ?? [];
  return serial === undefined || lineage === undefined ? undefined : `${serial} ${lineage}`;
}

/** The beginning of a file in a zip; empty when it is none, or has no such file. */
async function headOf(zipFile: string, name: string): Promise<string> {
  let head = Buffer.alloc(0);
  const unzip = new Unzip((file) => {
    if (file.name !== name) return;
    file.ondata = (error, chunk) => {
      // With an error comes no chunk, and what is known by then is not enough.
      if (error === null && head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for await (const chunk of createReadStream(zipFile) as AsyncIterable<Buffer>) {
      unzip.push(chunk);
      if (head.length >= HEAD_BYTES) break;
    }
  } catch (error) {
    // The zip was not made by Terraform. The file system's own errors have a code of letters.
    if (!(error instanceof Error) || !('code' in error) || typeof error.code === 'string') throw error;
  }
  return head.toString('utf8', 0, HEAD_BYTES);
}
