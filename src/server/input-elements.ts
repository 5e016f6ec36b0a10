import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/**
 * Refuses arguments that have more elements of arrays and members of objects than the limit, at any depth: what is made of them costs
 * far more than the bytes that they came in.
 *
 * @throws ProtocolError -32602, as the SDK does for tools that it knows (`maxToolInputElements`).
 */
export function refuseOverfull(given: unknown, limit: number): void {
  let count = 0;
  const left: object[] = typeof given === 'object' && given !== null ? [given] : [];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const children: readonly unknown[] = Array.isArray(node) ? node : Object.values(node);
    count += children.length;
    if (count > limit) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `The arguments have more than ${limit} elements and members together, which is the limit here.`,
      );
    }
    for (const child of children) if (typeof child === 'object' && child !== null) left.push(child);
  }
}
