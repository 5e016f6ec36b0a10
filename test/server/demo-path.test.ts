import { describe, expect, it } from 'vitest';
import { type Step, textOf, walkDemoPath } from '../../scripts/demo/path.ts';
import { demoStage, eras } from './product.ts';

describe.each(eras)('a client of the $era era', ({ connect }) => {
  it('completes the main job over a real pipe: search, schema, execute, reference, wrapped tool', async () => {
    const { repository, args } = demoStage();
    const { call, tools } = await connect({ args, isAlone: true });
    expect((await tools()).map(({ name }) => name)).toEqual(['search', 'get_schema', 'execute']);
    const steps: Step[] = [];
    for await (const step of walkDemoPath(call, repository)) steps.push(step);
    const texts = steps.map(({ result }) => textOf(result));
    expect(steps.filter(({ result }) => result.isError === true)).toEqual([]);
    expect(texts[0]).toMatch(/^remove-flag\(flag\*, keep\) · playbook · Remove a concluded feature flag/);
    expect(texts[1]).toContain('"required":["flag"]');
    expect(texts[2]).toContain('Find every use: `grep -rn "new-checkout" src config test`');
    expect(texts[2]).toContain('- flags/where-flags-live: ');
    expect(texts[3]).toContain('`config/flags.json` defines each flag');
    expect(texts[4]).toMatch(/^filesystem__read_text_file\(path\*/);
    expect(texts[5]).toContain("if (isEnabled('new-checkout')) return payInOneStep(cart);");
  });
});
