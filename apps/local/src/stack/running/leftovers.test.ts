import { expect, test } from '@jest/globals';
import { namesFolder } from './leftovers.ts';

test.each(['/top/work', '/top/work/d1/plan', '--out=/top/work --quiet'])(
  'a process is of a folder that it names: %s',
  (args) => {
    expect(namesFolder(`12 node ${args}`, '/top/work')).toBe(true);
  },
);

test.each(['/top/workflows.js', '/top/work-2/d1', '/top/work.db', '/top'])(
  'a process is not of a neighbour: %s',
  (args) => {
    expect(namesFolder(`12 node --workflows ${args}`, '/top/work')).toBe(false);
  },
);
