import { expect, test } from '@jest/globals';
import { HOST_LOOK, ICONS, LANE_LOOK, findLook, STAND_LOOK, STATUS_LOOK, type Look } from './index.ts';

const TABLES: readonly Readonly<Record<string, Look>>[] = [STATUS_LOOK, LANE_LOOK, STAND_LOOK, HOST_LOOK];

test('a state that several tables have looks the same in each', () => {
  for (const table of TABLES) for (const [state, look] of Object.entries(table)) expect(look).toEqual(findLook(state));
});

test('two states that differ in their mood differ in their icon, for people who do not see colours', () => {
  const looks = TABLES.flatMap((table) => Object.values(table));
  for (const { icon, mood } of looks.filter((look) => look.mood === 'bad'))
    expect(looks.filter((other) => other.icon === icon).map((other) => other.mood)).toEqual(
      looks.filter((other) => other.icon === icon).map(() => mood),
    );
});

test('an icon is one character in a terminal, and no two are alike', () => {
  const characters: readonly string[] = Object.values(ICONS);
  expect(characters.every((character) => /^.$/u.test(character))).toBe(true);
  expect(new Set(characters).size).toBe(characters.length);
});

test('a state of a newer release has no look', () => {
  expect(findLook('frozen')).toBeUndefined();
});
