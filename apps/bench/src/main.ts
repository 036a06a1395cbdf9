import { benchDiscovery } from './discovery.ts';

const { discoveryMs, cloneMs, ratio, coldMs, modified, roots } = await benchDiscovery(process.env);

console.log(
  `warm discovery, ${roots} roots, ${modified} modified: ${discoveryMs.toFixed(0)} ms (cold: ${coldMs.toFixed(0)} ms)`,
);
console.log(`git clone --depth 5 of the same repository: ${cloneMs.toFixed(0)} ms`);
console.log(`discovery is ${ratio.toFixed(1)} times faster`);
