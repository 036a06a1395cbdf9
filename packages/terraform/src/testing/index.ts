/** Providers for tests, in which nothing comes from a network. */
export { aProviderMirror, DEMO_VERSION, rootWith, type ProviderMirror } from './provider-mirror.ts';
