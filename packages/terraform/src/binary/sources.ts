/** Where binaries are published: by their vendors, or by a mirror with the layout of releases.hashicorp.com for both. */
import type { Distribution } from '../errors.ts';

/** The published files of one version. */
export interface Release {
  readonly zipUrl: string;
  /** The name of the zip in the list of sums. */
  readonly zipName: string;
  readonly sumsUrl: string;
  /** Where the vendor's signature of the sums may be; the first that is there counts. */
  readonly signatureUrls: readonly string[];
}

export interface Source {
  readonly indexUrl: string;
  release(version: string): Release;
}

/** `mirrorUrl`: `<mirror>/<distribution>/index.json` and `<mirror>/<distribution>/<version>/<file>`. */
export function sourceOf(distribution: Distribution, mirrorUrl?: string): Source {
  if (mirrorUrl !== undefined) return mirrored(distribution, mirrorUrl.replace(/\/+$/, ''));
  return distribution === 'terraform' ? mirrored(distribution, 'https://releases.hashicorp.com') : OPENTOFU;
}

function mirrored(distribution: Distribution, base: string): Source {
  return {
    indexUrl: `${base}/${distribution}/index.json`,
    release: (version) => releaseAt(distribution, version, `${base}/${distribution}/${version}`),
  };
}

const OPENTOFU: Source = {
  indexUrl: 'https://get.opentofu.org/tofu/api.json',
  release: (version) =>
    releaseAt('tofu', version, `https://github.com/opentofu/opentofu/releases/download/v${version}`),
};

function releaseAt(distribution: Distribution, version: string, folder: string): Release {
  const zipName = `${distribution}_${version}_${platform()}.zip`;
  const sumsUrl = `${folder}/${distribution}_${version}_SHA256SUMS`;
  const signatureUrls = SIGNATURE_ENDINGS[distribution].map((ending) => `${sumsUrl}${ending}`);
  return { zipName, zipUrl: `${folder}/${zipName}`, sumsUrl, signatureUrls };
}

/**
 * HashiCorp names the file after its key, since releases before April 2021 have a `.sig` by an older key. OpenTofu's `.sig` is
 * one of cosign.
 */
const SIGNATURE_ENDINGS = { terraform: ['.72D7468F.sig', '.sig'], tofu: ['.gpgsig'] } as const;

/** This machine's platform in Go's terms. */
export function platform(): string {
  const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', ia32: '386' };
  return `${process.platform}_${architectures[process.arch] ?? process.arch}`;
}
