import type { Rule } from './source-file.ts';

/** The hosts that npm, Yarn, pip and Go fetch from by default. */
const PACKAGE_HOSTS = new RegExp(
  String.raw`\b(registry\.(npm${'js'}|yarn${'pkg'})\.(org|com)|npm\.pkg\.git${'hub'}\.com|(files\.python${'hosted'}|py${'pi'}|test\.py${'pi'})\.org|(proxy|sum)\.go${'lang'}\.org)\b`,
);

/** A folder that only one person's machine has. */
const MACHINE_PATH = /(?<![\w.$}/-])\/(work|home\/[a-z][\w-]*|Users\/[A-Za-z][\w-]*|root\/\.[a-z]+)\//;

/** The source of packages is a matter of each machine's configuration: a company has its own mirror. */
export const noPackageHostIsNamed: Rule = (files) =>
  files
    .filter(({ text }) => PACKAGE_HOSTS.test(text))
    .map(({ path }) => `${path}: names a host of packages; leave it to the machine's configuration`);

/** A clone works in any folder. */
export const noMachineIsNamed: Rule = (files) =>
  files
    .filter(({ text }) => MACHINE_PATH.test(text))
    .map(({ path }) => `${path}: names a folder of one machine; make it relative`);

/** Or another program that runs what a registry of packages has under a name. */
const FROM_REGISTRY = /\b(?:npx|npm (?:exec|x)|yarn dlx|pnpm dlx|pnpx|bunx)(?: -[-\w]+)* (?:nereid|@nereid\/)/;

/** Outside of this clone, that is somebody else's program. */
export const nereidComesFromNoRegistry: Rule = (files) =>
  files
    .filter(({ text }) => FROM_REGISTRY.test(text))
    .map(({ path }) => `${path}: has a registry's package run as nereid; name the program that is installed, nereid`);
