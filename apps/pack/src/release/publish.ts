/** Signs what was made, by the identity of the workflow that made it, and puts it on the page of the release. */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An image or a chart by its digest, `ghcr.io/acme/nereid-worker@sha256:…`: of a tag, nobody knows what was signed. */
const BY_DIGEST = /^[a-z0-9.:/_-]+@sha256:[0-9a-f]{64}$/;

/** Cosign gets a certificate for the identity from the token of the job, and writes the signature beside the image. */
export async function signImage(image: string): Promise<void> {
  if (!BY_DIGEST.test(image)) throw new Error(`expected an image by its digest, found ${image}`);
  await run('cosign', ['sign', '--yes', image]);
}

/** Writes `<file>.sigstore.json` beside each file. */
export async function signFiles(files: readonly string[]): Promise<void> {
  for (const file of files) await run('cosign', ['sign-blob', '--yes', '--bundle', `${file}.sigstore.json`, file]);
}

export interface Page {
  /** `v0.1.0`, which is there already. */
  readonly tag: string;
  /** With everything that the page gets, but for the notes. */
  readonly folder: string;
  readonly notes: string;
}

export async function publishPage({ tag, folder, notes }: Page): Promise<void> {
  const files = (await readdir(folder)).map((name) => path.join(folder, name)).filter((file) => file !== notes);
  const options = ['--verify-tag', '--title', tag, '--notes-file', notes];
  await run('gh', ['release', 'create', tag, ...options, ...files.toSorted()]);
}
