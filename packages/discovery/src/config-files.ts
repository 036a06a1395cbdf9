/** The first of these that a revision has at its top is the one that counts. */
export const CONFIG_FILES = ['nereid.yaml', 'atlantis.yaml'] as const;

export type ConfigFile = (typeof CONFIG_FILES)[number];

export function isConfigFile(path: string): boolean {
  return (CONFIG_FILES as readonly string[]).includes(path);
}
