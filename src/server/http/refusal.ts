interface Refused {
  /** JSON-RPC code, and what to do. */
  readonly error: { readonly code: number; readonly message: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP answer to a request that was not read far enough to know its id. */
export function refusal(status: number, { error, headers = {} }: Refused): Response {
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers });
}
