/** Below such a directory stand modules, and what tries them: nobody deploys these by themselves. */
const OF_A_MODULE = /(?:^|\/)(?:modules?|examples?|samples?|demos?|tests?|fixtures)(?:\/|$)/i;

export function isOfAModule(dir: string): boolean {
  return OF_A_MODULE.test(dir);
}
