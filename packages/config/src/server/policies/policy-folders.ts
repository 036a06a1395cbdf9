/** The folders of policies, which stand beside the server's file. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LocatedProblem } from '../../environment/configuration-error.ts';
import type { PlanPolicy } from './plan-policies.ts';

interface HasPolicies {
  readonly policies: readonly PlanPolicy[];
}

/** The same configuration, with the folders of policies found from the folder of the server's file. */
export function withPolicyFolders<Config extends HasPolicies>(config: Config, fileFolder: string): Config {
  return {
    ...config,
    policies: config.policies.map((policy) => ({ ...policy, source: resolve(fileFolder, policy.source) })),
  };
}

/** Only processes that evaluate policies need their folders. */
export function policyFolderProblems({ policies }: HasPolicies): readonly LocatedProblem[] {
  return policies.flatMap(({ source }, index) => {
    const found = kindOf(source);
    if (found === 'folder') return [];
    const message = `expected the folder of a policy, found ${found} at ${source}; a path is relative to the folder of the server's file`;
    return [{ path: `policies[${index}].source`, message }];
  });
}

function kindOf(path: string): 'folder' | 'a file' | 'nothing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'a file';
  } catch {
    return 'nothing';
  }
}
