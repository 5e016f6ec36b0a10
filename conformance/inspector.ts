/** `npm run conformance:inspector`: the Inspector's command line lists and calls the three tools, over stdio and over HTTP. */
import { fileURLToPath } from 'node:url';
import { NODE_OF_PRODUCT, startProduct } from './product.ts';
import { output } from './suite.ts';

const bin = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** What is asked of each tool, and what the answer holds. */
const CALLS = [
  { args: ['--method', 'tools/list'], holds: ['"search"', '"get_schema"', '"execute"'] },
  {
    args: ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=a prompt without arguments'],
    holds: ['test_simple_prompt'],
  },
  {
    args: ['--method', 'tools/call', '--tool-name', 'get_schema', '--tool-arg', 'ids=["test_simple_prompt"]'],
    holds: ['# test_simple_prompt'],
  },
  {
    args: ['--method', 'tools/call', '--tool-name', 'execute', '--tool-arg', 'id=test_simple_prompt'],
    holds: ['This is a simple prompt for testing.'],
  },
] as const;

const product = await startProduct();
try {
  const targets = {
    stdio: [NODE_OF_PRODUCT, ...product.stdioArgs],
    http: [product.url, '--transport', 'http'],
  };
  for (const [transport, target] of Object.entries(targets)) {
    for (const { args, holds } of CALLS) {
      const told = await output([bin, '--cli', ...target, ...args], product.env);
      const missing = holds.filter((text) => !told.includes(text));
      const name = args
        .filter((word) => !word.startsWith('--'))
        .slice(0, 2)
        .join(' ');
      say(`${missing.length === 0 ? 'ok  ' : 'FAIL'} ${transport}: ${name}`);
      if (missing.length === 0) continue;
      say(`it does not tell ${missing.join(', ')}:\n${told.slice(0, 2_000)}`);
      process.exitCode = 1;
    }
  }
} finally {
  await product.close();
}
