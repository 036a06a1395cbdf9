import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planDiff } from './plan-diff.ts';

const diffOf = (text: string) => planDiff(text.split('\n')).join('\n');

test('the sign of each line comes first, and values keep their columns', () => {
  const plan = `\
  # terraform_data.n must be replaced
-/+ resource "terraform_data" "n" {
      ~ id    = "3ff1" -> (known after apply)
      + added = "x"
      - gone  = "y" -> null
        kept  = "z"
      ~ j     = jsonencode(
          ~ {
              ~ k = [
                    1,
                  ~ 2 -> 3,
                ]
            }
        )
    }`;

  expect(diffOf(plan)).toBe(`\
  # terraform_data.n must be replaced
!-/+ resource "terraform_data" "n" {
!       id    = "3ff1" -> (known after apply)
+       added = "x"
-       gone  = "y" -> null
        kept  = "z"
!       j     = jsonencode(
!           {
!               k = [
                    1,
!                   2 -> 3,
                ]
            }
        )
    }`);
});

test('a list in a text that changed is no sign, what changed in it is', () => {
  const plan = `\
      ~ user_data = <<-EOT
            steps:
              - one
          -   - two
          +   - three
        EOT # forces replacement
      - name      = "x" -> null`;

  expect(diffOf(plan)).toBe(`\
!       user_data = <<-EOT
            steps:
              - one
-             - two
+             - three
        EOT # forces replacement
-       name      = "x" -> null`);
});

test.each(['+', '-'])('each line of a text that comes or goes as a whole has its sign: %s', (sign) => {
  const plan = `\
      ${sign} list = <<-EOT
            + one

            - two
        EOT
      ~ next = 1 -> 2`;

  expect(diffOf(plan)).toBe(`\
${sign}       list = <<-EOT
${sign}           + one
${sign}
${sign}           - two
        EOT
!       next = 1 -> 2`);
});

test('a list in a note is not coloured', () => {
  expect(diffOf('Note: look at\n\n- one\n+ two')).toBe(' Note: look at\n\n - one\n + two');
});

test('nothing of a line is lost but its own sign and one space', () => {
  const piece = fc.constantFrom('  ', '    ', '- ', '+ ', '~ ', '-/+ ', '<<-EOT', 'EOT', 'x = "y"', '#');
  const line = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const letters = (text: string) => text.replaceAll(/[-+~! /]/g, '');
      expect(planDiff(lines).map(letters)).toEqual(lines.map(letters));
    }),
  );
});
