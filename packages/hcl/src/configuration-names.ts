export type Distribution = 'terraform' | 'tofu';

/** Whether one of the two programs may load a file of this name as configuration. */
export function isConfigurationName(name: string): boolean {
  return /\.(?:tf|tofu)(?:\.json)?$/.test(name) && !name.startsWith('.');
}

/** Whether only OpenTofu loads a file of this name. */
export function isTofuName(name: string): boolean {
  return /\.tofu(?:\.json)?$/.test(name);
}

/** Whether a program loads a file of this name after the others, in the order of their names, so that its blocks count. */
export function isOverrideName(name: string): boolean {
  return /(?:^|_)override\.(?:tf|tofu)(?:\.json)?$/.test(name);
}

/**
 * The files of one directory that a program loads. Terraform knows no `.tofu`; OpenTofu takes `main.tofu` in place of `main.tf`,
 * and `main.tofu.json` in place of `main.tf.json`.
 */
export function configurationNames(names: readonly string[], distribution: Distribution): readonly string[] {
  const files = names.filter(isConfigurationName);
  if (distribution === 'terraform') return files.filter((name) => !isTofuName(name));
  const all = new Set(files);
  return files.filter((name) => isTofuName(name) || !all.has(name.replace(/\.tf(\.json)?$/, '.tofu$1')));
}
