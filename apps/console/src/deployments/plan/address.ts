/** What an address of Terraform says: `module.vpc["eu.west"].data.aws_ami.base[0]`. Pure. */

export interface AddressParts {
  /** With the keys of its instances; empty for the root module. */
  readonly module: string;
  readonly type: string;
}

/** Names, dots, and keys in brackets, which may have dots of their own. */
const STEP = /(?<name>[^.[\]"]+)(?<key>(?:\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\])*)\.?/gy;

export function readAddress(address: string): AddressParts {
  const steps = Array.from(address.matchAll(STEP), ({ groups = {} }) => groups as { name: string; key: string }); // As the pattern has it.
  const modules: string[] = [];
  let at = 0;
  while (steps[at]?.name === 'module' && steps[at + 1] !== undefined) {
    modules.push(`module.${steps[at + 1]?.name ?? ''}${steps[at + 1]?.key ?? ''}`);
    at += 2;
  }
  const isKind = ['data', 'ephemeral', 'action'].includes(steps[at]?.name ?? '');
  const type = steps[isKind ? at + 1 : at]?.name ?? address;
  return { module: modules.join('.'), type: isKind ? `${steps[at]?.name ?? ''}.${type}` : type };
}
