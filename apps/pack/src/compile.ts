/** Sources as Node runs them below `node_modules`, where it reads no TypeScript. */
import { stripTypeScriptTypes } from 'node:module';

/** JavaScript with the same lines, for the file whose name `compiledName` gives. Throws a `SyntaxError`. */
export function compile(source: string): string {
  return withCompiledNames(stripTypeScriptTypes(source));
}

/** `wait.ts` becomes `wait.js`; other names stay. */
export function compiledName(file: string): string {
  return file.replace(/\.ts$/, '.js');
}

/** Every source gets its new name, so every name of one does, whether it is imported or started. */
export function withCompiledNames(text: string): string {
  return text.replaceAll(/(?<=\w)\.ts(?=['"`])/g, '.js');
}
