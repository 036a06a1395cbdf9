/** Reads files in Terraform's language, without a parser and without Terraform: blocks, plain strings, templates, JSON. */
export {
  configurationNames,
  isConfigurationName,
  isOverrideName,
  isTofuName,
  type Distribution,
} from './configuration-names.ts';
export { hclTokens, type HclToken } from './hcl-tokens.ts';
export { unescaped } from './lexemes.ts';
export { parseJson, type JsonValue } from './parse-json.ts';
export { scanHcl, type HclPart } from './scan-hcl.ts';
export { templateParts, type TemplatePart } from './template.ts';
