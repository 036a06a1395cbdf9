import { expect, test } from '@jest/globals';
import { compile, compiledName } from './compile.ts';

test('types go, and lines stay where they are', () => {
  expect(compile('interface A {\n  readonly b: string;\n}\nexport const c: A = { b: "" };\n')).toMatch(
    /^\s*\n\s*\n\s*\nexport const c\s+= \{ b: "" \};\n$/,
  );
});

test('sources are imported and started by the names that they have afterwards', () => {
  expect(compile("import { wait } from './wait/wait.ts';")).toBe("import { wait } from './wait/wait.js';");
  expect(compile("path.join(import.meta.dirname, 'read-plan-thread.ts')")).toContain("'read-plan-thread.js'");
  expect(compiledName('src/wait/wait.ts')).toBe('src/wait/wait.js');
  expect(compiledName('src/assets/site.css')).toBe('src/assets/site.css');
});

test('an ending alone is no name of a source', () => {
  expect(compile("file.endsWith('.ts')")).toBe("file.endsWith('.ts')");
});
