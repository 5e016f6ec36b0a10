import type { Env } from '../../config/index.ts';
import { PlaybookError } from '../../errors.ts';
import type { Runtime } from '../runtime.ts';
import { usagePage } from '../usage-page.ts';

/** Reading a year of usage takes seconds; who loads the page again sees it a little later. */
const FRESH_MS = 30_000;

/** The page may run what it brings (its own policy says so), and be in no other page. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-store',
};

/** Gives the page of the usage as it was not longer than half a minute ago. */
export function usagePages(runtime: Runtime, env: Env): () => Promise<Response> {
  let made: { readonly at: number; readonly html: Promise<string> } | undefined;
  return async () => {
    if (made === undefined || performance.now() - made.at > FRESH_MS) {
      made = { at: performance.now(), html: usagePage(runtime, env).then(({ html }) => html) };
    }
    try {
      return new Response(await made.html, { headers: HEADERS });
    } catch (error) {
      made = undefined;
      if (!(error instanceof PlaybookError)) throw error;
      return new Response(`${error.message}\n${error.hint ?? ''}\n`, { status: 503 });
    }
  };
}
