/** Providers and releases for tests, in which nothing comes from a network. */
export { aProviderMirror, DEMO_VERSION, rootWith, type ProviderMirror } from './provider-mirror.ts';
export { aReleaseMirror, aVendorKey, type ReleaseMirror, type VendorKey } from './release-mirror.ts';
