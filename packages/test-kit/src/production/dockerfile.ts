/** Parses just enough of a Dockerfile to know which files its images hold. */

export interface Stage {
  readonly name: string;
  /** The image or the stage that the stage begins from. */
  readonly from: string;
  readonly copies: readonly Copy[];
  readonly instructions: readonly Instruction[];
}

export interface Copy {
  /** The stage that the files come from; undefined when they come from the repository. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export interface Instruction {
  readonly verb: string;
  readonly rest: string;
}

/** The stages of a Dockerfile in their order, by name. */
export function parseDockerfile(text: string): ReadonlyMap<string, Stage> {
  const stages = new Map<string, Stage & { copies: Copy[]; instructions: Instruction[] }>();
  let current: ReturnType<typeof stages.get>;
  for (const instruction of instructionsOf(text)) {
    if (instruction.verb === 'FROM') {
      const [from = '', , name = ''] = instruction.rest.split(/\s+/);
      current = { name, from, copies: [], instructions: [] };
      stages.set(name, current);
    }
    current?.instructions.push(instruction);
    if (instruction.verb === 'COPY') current?.copies.push(parseCopy(instruction.rest));
  }
  return stages;
}

function instructionsOf(text: string): readonly Instruction[] {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, verb = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { verb, rest };
    });
}

function parseCopy(rest: string): Copy {
  const words = rest.split(/\s+/);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}
