/**
 * A reporter of dependency-cruiser, which sees what its rules cannot say: a room (a folder, or a file beside folders) and its
 * neighbour import each other, or more than two files do in a circle. Imports of types count.
 */
const CODE = /^(apps|packages|workflows|temporal)\//;
const FOR_TESTS = /\.test\.ts$|\.fixture\.ts$|\/(testing|fixtures)(\/|\.ts$)/;
const LARGEST_CIRCLE = 2;

export default function rooms({ modules }) {
  const imports = importsOf(modules);
  const problems = [
    ...pairsOf(imports).map((pair) => `mutual pair ${pair}: imports go one way`),
    ...circlesOf(imports).map((circle) => `circle ${circle}: at most two files need each other`),
  ];
  return { output: problems.map((line) => `${line}\n`).join(''), exitCode: Math.min(problems.length, 1) };
}

/** The files that each file of the product imports. */
function importsOf(modules) {
  const isProduct = (file) => CODE.test(file) && !FOR_TESTS.test(file);
  const entries = modules
    .filter(({ source }) => isProduct(source))
    .map(({ source, dependencies }) => [
      source,
      [...new Set(dependencies.map(({ resolved }) => resolved))].filter(isProduct),
    ]);
  return new Map(entries);
}

/** `folder: room <-> room`, at any depth. Two files of one folder may need each other. */
function pairsOf(imports) {
  const seen = new Set();
  const pairs = new Set();
  for (const [from, files] of imports) {
    for (const to of files) {
      const { folder, room, neighbour } = meeting(from, to);
      if (folder === '' || room === neighbour || (room.endsWith('.ts') && neighbour.endsWith('.ts'))) continue;
      seen.add(`${folder}: ${room} <-> ${neighbour}`);
      if (seen.has(`${folder}: ${neighbour} <-> ${room}`)) {
        pairs.add(`${folder}: ${[room, neighbour].sort().join(' <-> ')}`);
      }
    }
  }
  return [...pairs].sort();
}

/** Where the paths of two files part. */
function meeting(from, to) {
  const [a, b] = [from.split('/'), to.split('/')];
  const depth = a.findIndex((name, index) => name !== b[index]);
  return { folder: a.slice(0, depth).join('/'), room: a[depth] ?? '', neighbour: b[depth] ?? '' };
}

/** The strongly connected components of more files than may need each other, by Tarjan. */
function circlesOf(imports) {
  const order = new Map();
  const lowest = new Map();
  const open = [];
  const circles = [];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    open.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > LARGEST_CIRCLE) circles.push(circle.sort().join(' '));
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles.sort();
}
