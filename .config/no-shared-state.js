/**
 * An ESLint rule for modules that workflows import. All workflows of a worker share one evaluation of these modules (a third of
 * the memory), so whatever a module keeps, one workflow leaves to another, and a replay does not find it again.
 *
 * It refuses variables, collections and objects that can be changed, static fields of classes, functions and objects that were
 * made at the top level and remember something, and changes to what a module declares or imports. A WeakMap passes: only those
 * who have a key find what was put in.
 */
import { isTypeReadonly } from '@typescript-eslint/type-utils';
import ts from 'typescript';

const COLLECTIONS = new Set(['Map', 'Set', 'Array', 'Date', 'URLSearchParams', 'Headers']);
const WEAK = new Set(['WeakMap', 'WeakSet', 'WeakRef']);
/** Their own types have fields that can be changed, which nobody does. */
const CONSTANT = new Set(['RegExp']);
const READONLY_COLLECTIONS = new Set(['ReadonlyMap', 'ReadonlySet']);
const CHANGING = new Set([
  ...['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin'],
  ...['set', 'add', 'delete', 'clear'],
]);
/** What the SDK makes at the top level, by its own documentation. */
const OF_THE_SDK = ['common', 'workflow'].map((name) => ({
  from: 'package',
  package: `@temporalio/${name}`,
  name: ['SignalDefinition', 'QueryDefinition', 'UpdateDefinition', 'SearchAttributeKey', 'DefaultFailureConverter'],
}));

export const noSharedState = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      variable: 'Workflows on the same worker would share this variable: keep state in the workflow function.',
      mutable: 'Workflows on the same worker would share what is put into it: give it a readonly type, or `as const`.',
      field:
        'Workflows on the same worker would share this field: make it static readonly, or keep state in the workflow function.',
      memory: 'Workflows on the same worker would share what this remembers: call it in the workflow function.',
      change: 'Workflows on the same worker share this: make a changed copy instead.',
    },
  },
  create(context) {
    const { parserServices, scopeManager } = context.sourceCode;
    const types = typesOf(parserServices);
    const report = (node, messageId) => context.report({ node, messageId });
    return {
      VariableDeclaration(node) {
        if (!isShared(node)) return;
        if (node.kind !== 'const') return report(node, 'variable');
        for (const variable of context.sourceCode.getDeclaredVariables(node)) {
          const [identifier] = variable.identifiers;
          if (types.isMutable(identifier)) report(identifier, 'mutable');
        }
      },
      'PropertyDefinition[static=true], AccessorProperty[static=true]'(node) {
        if (!node.readonly) report(node, 'field');
        else if (types.isMutable(node)) report(node, 'mutable');
      },
      NewExpression(node) {
        if (!isShared(node)) return;
        if (types.isKeptCollection(node)) report(node, 'mutable');
        else if (types.makesMemory(node)) report(node, 'memory');
      },
      CallExpression(node) {
        if (isShared(node) && types.makesMemory(node)) report(node, 'memory');
      },
      'Program:exit'() {
        const [moduleScope] = scopeManager.scopes.filter(({ type }) => type === 'module');
        for (const { references, identifiers, defs } of moduleScope?.variables ?? []) {
          if (identifiers.length === 0 || types.isWeak(identifiers[0])) continue;
          for (const { identifier } of references) {
            if (isChanged(identifier) || goesOn(defs[0]?.node.init, identifier)) report(identifier, 'change');
          }
        }
      },
    };
  },
};

/** Whether a node is evaluated with its module, be it in a function that is called on the spot. */
function isShared({ parent: first }) {
  for (let [node, child] = [first, undefined]; node; [child, node] = [node, node.parent]) {
    if (node.type === 'PropertyDefinition' && !node.static && node.value === child) return false;
    if (/Function/.test(node.type) && !(node.parent.type === 'CallExpression' && node.parent.callee === node))
      return false;
  }
  return true;
}

/** Whether something in it gets another value: `it.a = …`, `it.a.b++`, `delete it[…]`, `it.push(…)`, `Object.assign(it, …)`. */
function isChanged(identifier) {
  let node = identifier;
  while (/^TS(As|NonNull|Satisfies)/.test(node.parent.type) || (isMember(node.parent) && node.parent.object === node))
    node = node.parent;
  const { parent } = node;
  const isAssigned =
    (parent.type === 'AssignmentExpression' && parent.left === node) ||
    parent.type === 'UpdateExpression' ||
    (parent.type === 'UnaryExpression' && parent.operator === 'delete');
  if (isAssigned) return node !== identifier;
  if (parent.type !== 'CallExpression') return false;
  if (parent.callee === node) return isMember(node) && CHANGING.has(node.property.name);
  return parent.arguments[0] === node && isObjectAssign(parent.callee);
}

/** A pattern with the flag g or y remembers where these two methods found the last match. */
function goesOn(pattern, { parent }) {
  return /[gy]/.test(pattern?.regex?.flags ?? '') && isMember(parent) && /^(exec|test)$/.test(parent.property.name);
}

const isMember = ({ type }) => type === 'MemberExpression';

const isObjectAssign = (callee) =>
  isMember(callee) && callee.object.name === 'Object' && /^(assign|definePropert)/.test(callee.property.name);

function typesOf({ program, esTreeNodeToTSNodeMap }) {
  const checker = program.getTypeChecker();
  const typeOf = (node) => checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node));
  const nameOf = (type) => type?.getSymbol()?.name;
  const options = { treatMethodsAsReadonly: true, allow: OF_THE_SDK };
  return {
    isWeak: (node) => WEAK.has(nameOf(typeOf(node))),
    isMutable(node) {
      const type = typeOf(node);
      if (WEAK.has(nameOf(type)) || CONSTANT.has(nameOf(type)) || type.getCallSignatures().length > 0) return false;
      return COLLECTIONS.has(nameOf(type)) || !isTypeReadonly(program, type, options);
    },
    /** Of those in an object or a list, whose own type does not tell. */
    isKeptCollection(node) {
      if (node.parent.type !== 'Property' && node.parent.type !== 'ArrayExpression') return false;
      const wanted = nameOf(checker.getContextualType(esTreeNodeToTSNodeMap.get(node)));
      return COLLECTIONS.has(nameOf(typeOf(node))) && !READONLY_COLLECTIONS.has(wanted);
    },
    makesMemory(node) {
      const { declaration } = checker.getResolvedSignature(esTreeNodeToTSNodeMap.get(node)) ?? {};
      const made = node.type === 'NewExpression' ? classOf(typeOf(node)) : declaration?.body;
      return made !== undefined && (ts.isClassLike(made) ? hasFields(made) : remembers(made, checker));
    },
  };
}

const classOf = (type) =>
  type.getSymbol()?.declarations?.find((node) => ts.isClassLike(node) && !node.getSourceFile().isDeclarationFile);

const isReadonly = (node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Readonly) !== 0;

const hasFields = ({ members }) => members.some((member) => ts.isPropertyDeclaration(member) && !isReadonly(member));

/** Whether a function within uses a variable of this body that can be changed. */
function remembers(body, checker) {
  const variables = new Set();
  visit(body, false, (node) => {
    if (ts.isVariableDeclaration(node) && canChange(node)) variables.add(checker.getSymbolAtLocation(node.name));
  });
  let found = false;
  visit(body, true, (node, isWithin) => {
    if (isWithin && ts.isIdentifier(node) && variables.has(checker.getSymbolAtLocation(node))) found = true;
  });
  return found;
}

function canChange({ parent, initializer }) {
  if ((parent.flags & ts.NodeFlags.Const) === 0) return true;
  if (initializer === undefined) return false;
  if (ts.isNewExpression(initializer)) return COLLECTIONS.has(initializer.expression.getText());
  return ts.isArrayLiteralExpression(initializer) || ts.isObjectLiteralExpression(initializer);
}

function visit(body, entersFunctions, see) {
  const enter = (node, isWithin) => {
    const isFunction = ts.isFunctionLike(node);
    if (isFunction && !entersFunctions) return;
    see(node, isWithin);
    ts.forEachChild(node, (child) => enter(child, isWithin || isFunction));
  };
  ts.forEachChild(body, (child) => enter(child, ts.isFunctionLike(body)));
}
