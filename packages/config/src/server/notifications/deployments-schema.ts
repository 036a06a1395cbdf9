/** How the forge shows what is deployed where, as the server's file writes it. */
import type { z } from 'zod';
import { scopeOf } from '../../settings/globs-schema.ts';
import { described, object, text } from '../../yaml/schema.ts';

/** Without the root, a deployment of one root would take the place of another's. */
const ENVIRONMENT_NAME = text(
  'a text of at most 100 characters with "{root}", like "{environment}/{root}"; no other braces',
  /^(?=.*\{root\})(?:[^{}\p{Cc}\p{Cf}]|\{root\}|\{environment\}){1,100}$/u,
);

export const Deployments = object({
  environment: described(
    ENVIRONMENT_NAME,
    "the name of each root's environment on GitHub, where [each apply is shown](guides/notifications.md#github-deployments)",
    'text with `{root}` (off)',
  ),
  ...scopeOf('the repositories whose applies are shown', 'the roots whose applies are shown'),
});
export type Deployments = z.infer<typeof Deployments>;
