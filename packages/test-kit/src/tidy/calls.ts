import { isForTests, isProduct, isTypeScript, type Rule, type SourceFile } from './source-file.ts';

/** Programs that a person starts in a terminal, and whose output the person reads. */
const FOR_PEOPLE = /^(apps\/(bench|local)|temporal)\//;

/** A setting is read once, when a process starts, and is an argument after that, so that it can be validated and tested. */
export const onlyProgramsReadTheEnvironment: Rule = (files) =>
  calls(files, /\bprocess\.env\b/, (file) => isProduct(file) && !isProgram(file, files)).map(
    (path) => `${path}: reads the environment; only main.ts and bins do, and hand it on as an argument`,
  );

/** The output of a process is its log; only programs for people print. */
export const onlyProgramsPrint: Rule = (files) =>
  calls(files, /\bconsole\.log\b/, (file) => isProduct(file) && !isBin(file, files) && !FOR_PEOPLE.test(file.path)).map(
    (path) => `${path}: prints; use the logger of the context`,
  );

/** A shell reads its input as a program, and our input comes from others. */
export const nothingStartsAShell: Rule = (files) =>
  calls(
    files,
    /(?<![.\w])(?:execSync|exec)\(|\bshell:\s*true\b/,
    (file) => isTypeScript(file) && !isForTests(file),
  ).map((path) => `${path}: starts a shell; start the program itself, with its arguments in a list`);

/** In the processes: tests and tools for people choose for themselves. */
const OF_A_PROCESS = /^(apps\/(gateway|worker|console)|packages|temporal)\//;
const MAKES_CLIENTS = 'packages/process/src/temporal/temporal-client.ts';

/** A client or a worker without the converter sends in the clear what others seal, and cannot read what they send. */
export const temporalIsReachedWithItsConverter: Rule = (files) =>
  files
    .filter((file) => isProduct(file) && OF_A_PROCESS.test(file.path) && file.path !== MAKES_CLIENTS)
    .filter(({ text }) => {
      const code = withoutComments(text);
      return (
        /\bnew (Workflow|Schedule|AsyncCompletion)?Client\(/.test(code) ||
        (/\bWorker\.create\(/.test(code) && !/\bdataConverter\b/.test(code))
      );
    })
    .map(
      ({ path }) => `${path}: reaches Temporal without its converter; use createTemporalClient, or pass dataConverter`,
    );

/** Work that is left for later belongs in an issue, where somebody looks. */
export const nothingIsLeftForLater: Rule = (files) =>
  files
    .filter(isTypeScript)
    .filter(({ text }) => /\bTODO\b|\bFIXME\b|\bXXX\b|\b(describe|it|test)\.(only|skip|todo)\(/.test(text))
    .map(({ path }) => `${path}: leaves something for later; do it, or open an issue`);

function calls(files: readonly SourceFile[], call: RegExp, looked: (file: SourceFile) => boolean): readonly string[] {
  return files.filter((file) => looked(file) && call.test(withoutComments(file.text))).map(({ path }) => path);
}

/** Removes comments that stand alone. A comment behind code is read as code, which can only find too much. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*\*?\s[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function isProgram(file: SourceFile, files: readonly SourceFile[]): boolean {
  return file.path.endsWith('/main.ts') || isBin(file, files);
}

/** Whether the file is the value of a `bin` in the package.json of its workspace. */
function isBin({ path }: SourceFile, files: readonly SourceFile[]): boolean {
  const [layer, workspace, ...inside] = path.split('/');
  const manifest = files.find((file) => file.path === `${layer ?? ''}/${workspace ?? ''}/package.json`);
  const bins = /"bin": \{([^}]*)\}/.exec(manifest?.text ?? '')?.[1] ?? '';
  return bins.includes(`"./${inside.join('/')}"`);
}
