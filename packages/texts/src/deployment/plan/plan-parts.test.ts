import { expect, test } from '@jest/globals';
import { planParts } from './plan-parts.ts';

const PLAN = `\
  # aws_x.old["a b"] will be destroyed
  # (because key ["a b"] is not in for_each map)
  - resource "aws_x" "old" {
      - text = <<-EOT
            # aws_x.fake will be created

            - end
        EOT -> null
    }

  # module.vpc.aws_x.new will be created
  + resource "aws_x" "new" {
      + id = (known after apply)
    }

Changes to Outputs:
  + address = (known after apply)

Note: Objects have changed outside of Terraform

  # aws_x.drifted has changed
  ~ resource "aws_x" "drifted" {
    }`;

test('each resource has its own lines, those of its values among them', () => {
  const { resources } = planParts(PLAN);

  expect([...resources.keys()]).toEqual(['aws_x.old["a b"]', 'module.vpc.aws_x.new', 'aws_x.drifted']);
  expect(resources.get('aws_x.old["a b"]')).toEqual(PLAN.split('\n').slice(0, 9));
  expect(resources.get('module.vpc.aws_x.new')).toEqual(PLAN.split('\n').slice(10, 14));
});

test('outputs and notes are the rest', () => {
  expect(planParts(PLAN).rest).toEqual([
    'Changes to Outputs:',
    '  + address = (known after apply)',
    '',
    'Note: Objects have changed outside of Terraform',
  ]);
});

test('a resource that is told of twice keeps its first part', () => {
  const { resources, rest } = planParts('  # a.b will be created\n  + x\n\n  # a.b has changed\n  ~ y');

  expect(resources.get('a.b')).toEqual(['  # a.b will be created', '  + x']);
  expect(rest).toEqual(['  # a.b has changed', '  ~ y']);
});

test('a header after a value that looks like one begins its resource', () => {
  const { resources } = planParts(
    '  # a.b will be created\n  + # y\n  # a.c will be created\n+ # y\n  # a.d will be created',
  );

  expect([...resources.keys()]).toEqual(['a.b', 'a.c', 'a.d']);
});

test('the beginning of an address without its end is no address', () => {
  expect(planParts(`  # a.b["${'x'.repeat(1_000)}`).resources.size).toBe(0);
});
