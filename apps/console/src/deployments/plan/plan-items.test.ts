import { describe, expect, test } from '@jest/globals';
import { NO_CHANGES, type PlanSummary } from '@nereid/domain/plan';
import { planParts } from '@nereid/texts';
import { readAddress } from './address.ts';
import { choicesOf, filterItems, planQueryOf, ROOT_MODULE } from './plan-filter.ts';
import { planItems } from './plan-items.ts';

const SUMMARY: PlanSummary = { ...NO_CHANGES, resources: [], omitted: 0 };

const PARTS = planParts(`\
  # aws_x.gone will be destroyed
  - resource "aws_x" "gone" {
      - name = "Zebra" -> null
    }

  # aws_x.a (deposed object 00ff) will be destroyed
  - resource "aws_x" "a" {
    }

  # aws_x.a must be replaced
+/- resource "aws_x" "a" {
    }

 # aws_x.left will no longer be managed by Terraform, but will not be destroyed
 # (destroy = false is set in the configuration)
 . resource "aws_x" "left" {
    }

  # module.vpc["eu.west"].aws_y.new will be created
  # (moved from aws_y.new)
  + resource "aws_y" "new" {
    }

  # data.aws_x.read will be read during apply
 <= data "aws_x" "read" {
    }

  # aws_x.imported will be imported
    resource "aws_x" "imported" {
    }

  # aws_x.old has moved to aws_x.moved
    resource "aws_x" "moved" {
    }`);

const namesOf = (items: ReturnType<typeof planItems>) => items.map(({ name, action }) => `${action} ${name}`);

describe('the resources of a plan', () => {
  test('are those of its text, what is destroyed first', () => {
    expect(namesOf(planItems(SUMMARY, PARTS))).toEqual([
      'delete aws_x.gone',
      'delete aws_x.a (deposed object 00ff)',
      'replace aws_x.a',
      'forget aws_x.left',
      'create module.vpc["eu.west"].aws_y.new',
      'import aws_x.imported',
      'move aws_x.moved',
      'other data.aws_x.read',
    ]);
  });

  test('are also those whose text had no room, each once', () => {
    const resources = [
      { address: 'aws_x.a', action: 'delete' },
      { address: 'aws_x.a', action: 'replace' },
      { address: 'aws_x.more', action: 'create' },
      { address: 'aws_x.odd', action: 'unknown', words: 'dance' },
    ] as const;

    const items = planItems({ ...SUMMARY, resources }, PARTS);

    expect(items).toHaveLength(10);
    expect(items[0]).toEqual({ name: 'aws_x.odd', action: 'unknown', words: 'dance' });
    expect(items).toContainEqual({ name: 'aws_x.more', action: 'create' });
  });

  test('are unknown where the plan does what this release does not know, whatever the sign says', () => {
    const resources = [{ address: 'aws_x.gone', action: 'unknown', words: 'dance' }] as const;

    expect(planItems({ ...SUMMARY, resources }, PARTS)[0]).toMatchObject({ name: 'aws_x.gone', action: 'unknown' });
  });
});

test.each([
  ['aws_x.a', '', 'aws_x'],
  ['aws_x.a["b.c"]', '', 'aws_x'],
  ['module.vpc["eu.west"].module.in[0].aws_x.a', 'module.vpc["eu.west"].module.in[0]', 'aws_x'],
  ['module.vpc["a\\"].aws_z.b"].data.aws_x.a', 'module.vpc["a\\"].aws_z.b"]', 'data.aws_x'],
  ['', '', ''],
])('the address %s is of the module %j and the type %j', (address, module, type) => {
  expect(readAddress(address)).toEqual({ module, type });
});

describe('a filter', () => {
  const items = planItems(SUMMARY, PARTS);
  const found = (query: Record<string, string>) => namesOf(filterItems(items, planQueryOf(query)));

  test.each([
    [{ action: 'replace' }, ['replace aws_x.a']],
    [{ type: 'data.aws_x' }, ['other data.aws_x.read']],
    [{ module: 'module.vpc["eu.west"]' }, ['create module.vpc["eu.west"].aws_y.new']],
    [{ module: ROOT_MODULE, action: 'create' }, []],
    [{ text: ' zEBRA ' }, ['delete aws_x.gone']],
    [{ text: 'aws_y' }, ['create module.vpc["eu.west"].aws_y.new']],
  ])('finds by %j', (query, names) => {
    expect(found(query)).toEqual(names);
  });

  test.each([{ action: 'dance' }, { text: '' }, { page: '-1' }, { page: 'x' }, { text: 'x'.repeat(501) }])(
    'that nobody can mean is none: %j',
    (query) => {
      expect(found(query)).toHaveLength(8);
      expect(planQueryOf(query).page).toBe(1);
    },
  );

  test('offers what there is, with counts', () => {
    expect(choicesOf(items).modules).toEqual([
      { value: ROOT_MODULE, count: 7 },
      { value: 'module.vpc["eu.west"]', count: 1 },
    ]);
    expect(choicesOf(items).types.map(({ value }) => value)).toEqual(['aws_x', 'aws_y', 'data.aws_x']);
  });
});
