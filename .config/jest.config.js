/** Native ES modules: Node runs the sources as they are, swc only strips the types for jest's loader. */
export default {
  rootDir: '..',
  testMatch: ['<rootDir>/{apps,packages,workflows}/**/*.test.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
};
