import { overview, verbHelp } from '@nereid/cli/help';
import { VERBS } from '@nereid/cli/verbs';
import { codeBlock, page } from './markdown.ts';

/** As the command line tells it. */
export function verbsPage(): string {
  return page(
    '# All verbs',
    'This is the output of `nereid --help` and of `nereid VERB --help`. [The command line](command-line.md) says how to get it, to log in,\nand to use it in scripts.',
    codeBlock(overview(VERBS), 'text'),
    ...VERBS.flatMap((verb) => [`## nereid ${verb.name}`, codeBlock(verbHelp(verb), 'text')]),
  );
}
