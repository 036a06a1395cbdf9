import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { noSharedState } from './no-shared-state.js';
import { PURE_PACKAGES } from './pure-packages.js';

export default defineConfig(
  { ignores: ['**/node_modules/**', '**/dist/**', '.nereid/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: new URL('..', import.meta.url).pathname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A number has one form as text; the other types that the rule refuses have surprising forms.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `() => close()` says as much as `() => { close(); }`.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A loop that ends inside its body is written as `for (;;)` or `while (true)`.
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // A signature names all its arguments, even unused ones; taking a field out of an object names an unused variable too.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-restricted-syntax': ['error', ...syntaxOf('anywhere')],
    },
  },
  {
    files: ['**/*.test.ts', 'packages/{github-stand-in,test-kit}/**/*.ts', '**/{testing,fixtures}/**/*.ts'],
    rules: {
      // A stand-in for an asynchronous function keeps its signature.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['workflows/src/**/*.ts', ...PURE_PACKAGES.map((name) => `packages/${name}/src/**/*.ts`)],
    // No workflow loads schemas; dependency-cruiser and a test of the bundle see to it.
    ignores: ['**/*.test.ts', '**/{testing,fixtures}/*.ts', 'packages/domain/src/{fields,*/{api,record}}.ts'],
    plugins: { nereid: { rules: { 'no-shared-state': noSharedState } } },
    rules: { 'nereid/no-shared-state': 'error' },
  },
  {
    // Workflow code is replayed: it must make the same decisions again, years later, on another machine.
    files: ['workflows/src/**/*.ts'],
    ignores: ['**/*.test.ts', '**/{testing,fixtures}/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [importFence()] }],
      'no-restricted-globals': [
        'error',
        'Buffer',
        'FinalizationRegistry',
        'Intl',
        'WeakRef',
        'crypto',
        'fetch',
        'performance',
        'process',
        'require',
        'setImmediate',
      ],
      'no-restricted-syntax': ['error', ...syntaxOf('anywhere'), ...syntaxOf('workflows')],
    },
  },
);

function importFence() {
  const allowed = ['@temporalio/workflow', '@temporalio/common', ...PURE_PACKAGES.map((name) => `@nereid/${name}`)];
  return {
    regex: `^(?!(?:${allowed.join('|')})(?:/[a-z-]+)?$|\\.)`,
    message: `Workflow code imports ${allowed.join(', ')} and its own files: move anything else to an activity.`,
  };
}

function syntaxOf(place) {
  return {
    anywhere: [{ selector: 'TSEnumDeclaration', message: 'Use a union of strings.' }],
    workflows: [
      {
        selector: 'MemberExpression[property.name=/^(localeCompare|toLocale[A-Z][A-Za-z]*)$/]',
        message: 'The locale differs between machines: compare code points, format in an activity.',
      },
      {
        selector:
          'MemberExpression[property.name=/^get(Date|Day|FullYear|Hours|Minutes|Month|Seconds|TimezoneOffset)$/]',
        message: 'The time zone differs between machines: use the getUTC… method.',
      },
    ],
  }[place];
}
