import { describe, expect, test } from '@jest/globals';
import { readTerraformHcl } from './terraform-hcl.ts';

const modulesIn = (text: string) => readTerraformHcl(text).modules;
const hasBackend = (text: string) => readTerraformHcl(text).hasBackend;

describe('a backend', () => {
  test.each([
    'terraform {\n  backend "s3" {\n    key = "x"\n  }\n}',
    'terraform {\n  backend "s3" {}\n}',
    'terraform { backend "s3" {} }',
    'terraform {\n  cloud {\n    organization = "acme"\n  }\n}',
    'terraform {\n  required_providers {\n    aws = {\n      source = "hashicorp/aws"\n    }\n  }\n  backend "gcs" {\n  }\n}',
    '/* first */ terraform {\r\n  backend s3 {\r\n  }\r\n}',
    '\ufeffterraform {\n  backend "s3" {}\n}',
  ])('is a block of terraform: %j', (text) => {
    expect(hasBackend(text)).toBe(true);
  });

  test.each([
    '',
    'terraform {\n  required_version = ">= 1.5"\n}',
    '# terraform {\n#  backend "s3" {}\n# }',
    '// terraform { backend "s3" {} }',
    '/*\nterraform {\n  backend "s3" {}\n}\n*/',
    'locals {\n  text = "terraform { backend {} }"\n}',
    'locals {\n  text = <<EOT\nterraform {\n  backend "s3" {}\n}\nEOT\n}',
    'locals {\n  text = <<-EOT\n    terraform {\n      backend "s3" {}\n    }\n    EOT\n}',
    'resource "x" "y" {\n  terraform {\n    backend "s3" {}\n  }\n}',
    'terraform {\n  x {\n    backend "s3" {}\n  }\n}',
    'terraform {\n  backend = {}\n}',
    'backend "s3" {}',
    'locals {\n  terraform = {\n    backend = "x"\n  }\n}',
  ])('is nothing else: %j', (text) => {
    expect(hasBackend(text)).toBe(false);
  });

  test('is found after a heredoc, a template and a comment that hold brackets', () => {
    const text = [
      'locals {',
      '  a = "${join(",", [for x in var.y : "${x}-{"])}"',
      '  b = <<-EOT',
      '    } } ${"{"}',
      '  EOT',
      '  c = "%{ if true }}%{ endif }" # }',
      '  d = "$${ { %%{ \\" {" /* { */',
      '}',
      'terraform {',
      '  backend "s3" {}',
      '}',
    ].join('\n');

    expect(hasBackend(text)).toBe(true);
  });
});

describe('a local module', () => {
  test('is named by the source of a module block', () => {
    const text = 'module "vpc" {\n  source = "../modules/vpc"\n}\nmodule "dns" { source = "./dns" }';

    expect(modulesIn(text)).toEqual(['../modules/vpc', './dns']);
  });

  test.each([
    'module "x" {\n  source = "hashicorp/vpc/aws"\n}',
    'module "x" {\n  source = "git::https://example.com/vpc.git"\n}',
    'module "x" {\n  source = "./${var.name}"\n}',
    'module "x" {\n  providers = {\n    source = "./a"\n  }\n}',
    'module "x" {\n  inner {\n    source = "./a"\n  }\n}',
    'module "x" {\n  tags = [\n    { source = "./a" },\n  ]\n}',
    'resource "x" "y" {\n  source = "./a"\n}',
    'module "x" {\n  # source = "./a"\n}',
    'module "x" {\n  other = source == "./a"\n}',
    'source = "./a"',
  ])('is nothing else: %j', (text) => {
    expect(modulesIn(text)).toEqual([]);
  });

  test.each(['..\\\\modules\\\\vpc', '.\\\\vpc', '../modules\\\\vpc'])(
    'may be written with the separators of Windows, which Terraform takes everywhere: %s',
    (source) => {
      const slashed = source.replaceAll('\\\\', '/');

      expect(modulesIn(`module "vpc" {\n  source = "${source}"\n}`)).toEqual([slashed]);
    },
  );

  test('is counted once', () => {
    expect(modulesIn('module "a" { source = "./m" }\nmodule "b" { source = "./m" }')).toEqual(['./m']);
  });

  test('is found behind a string that is not closed', () => {
    expect(modulesIn('locals {\n  a = "open\n}\nmodule "m" {\n  source = "./m"\n}')).toEqual(['./m']);
  });
});
