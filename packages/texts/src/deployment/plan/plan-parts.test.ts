import { expect, test } from '@jest/globals';
import { planParts } from './plan-parts.ts';

/** As hosts keep it: what changed outside of Terraform comes last. */
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

  expect([...resources.keys()]).toEqual(['aws_x.old["a b"]', 'module.vpc.aws_x.new']);
  expect(resources.get('aws_x.old["a b"]')).toEqual(PLAN.split('\n').slice(0, 9));
  expect(resources.get('module.vpc.aws_x.new')).toEqual(PLAN.split('\n').slice(10, 14));
});

test('outputs, notes, and resources that changed outside of Terraform are apart', () => {
  const { outputs, notes, drift } = planParts(PLAN);

  expect(outputs).toEqual(['  + address = (known after apply)']);
  expect(notes).toEqual([]);
  expect([...drift]).toEqual([
    ['aws_x.drifted', ['  # aws_x.drifted has changed', '  ~ resource "aws_x" "drifted" {', '    }']],
  ]);
});

test('a resource that changed outside of Terraform and is changed by the plan has both', () => {
  const { resources, drift } = planParts(
    '  # a.b will be created\n  + x\n\nNote: Objects have changed outside of OpenTofu\n\n  # a.b has changed\n  ~ y',
  );

  expect(resources.get('a.b')).toEqual(['  # a.b will be created', '  + x']);
  expect(drift.get('a.b')).toEqual(['  # a.b has changed', '  ~ y']);
});

test('an object that is left of a replacement is not the current one', () => {
  const { resources } = planParts(
    '  # a.b (deposed object 00ff) will be destroyed\n  - x\n\n  # a.b must be replaced\n-/+ y',
  );

  expect([...resources.keys()]).toEqual(['a.b (deposed object 00ff)', 'a.b']);
});

test('a resource that is only moved has its next address', () => {
  const { resources } = planParts('  # a.b["x y"] has moved to module.c.a.b["x y"]\n    resource "a" "b" {\n    }');

  expect([...resources.keys()]).toEqual(['module.c.a.b["x y"]']);
});

test('actions that are invoked with a change belong to its resource', () => {
  const { resources } = planParts(
    '  # a.b will be created\n  + resource "a" "b" {\n    }\n\n    # Actions to be invoked after this change in order:\n    action "x" "y" {\n    }',
  );

  expect(resources.get('a.b')).toHaveLength(7);
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
