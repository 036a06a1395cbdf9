/** The chart in a registry of images, from which Helm installs it. */
import { mkdtemp, cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { helm } from './helm.ts';

export interface ChartPush {
  /** As `packChart` makes it. */
  readonly archive: string;
  /** `ghcr.io/acme`. */
  readonly registry: string;
  /** For a registry without TLS, as tests have it. */
  readonly plainHttp?: boolean;
  /** Where Docker keeps who may push. */
  readonly credentials?: string | undefined;
}

/** Returns the chart by its digest: `ghcr.io/acme/charts/nereid@sha256:…`. */
export async function pushChart({ archive, registry, plainHttp = false, credentials }: ChartPush): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nereid-push-'));
  try {
    const name = path.basename(archive).replace('nereid-chart-', 'nereid-');
    await cp(archive, path.join(folder, name));
    const options = plainHttp ? ['--plain-http'] : [];
    const env = credentials === undefined ? {} : { HELM_REGISTRY_CONFIG: credentials };
    const said = await helm(['push', path.join(folder, name), `oci://${registry}/charts`, ...options], env);
    const digest = /^Digest: (sha256:[0-9a-f]{64})$/m.exec(said)?.[1];
    if (digest === undefined) throw new Error(`expected the digest of the chart, found ${said}`);
    return `${registry}/charts/nereid@${digest}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}
