import { fenced } from '@nereid/forge';

/** Nothing of the configuration is refused for these. Blocks of Markdown; the lines may be hostile. */
export function configWarningBlocks(warnings: readonly string[] = []): string[] {
  if (warnings.length === 0) return [];
  return [
    '**Warnings about the configuration**',
    fenced(
      warnings.map((warning) => `! ${warning}`),
      'diff',
    ),
  ];
}
