/**
 * A person must log in before the server can be used; the message ends the sentence "Server x cannot be used: …".
 *
 * It goes by the name of the SDK's own error, by which version negotiation tells an answer of the server from a server that is
 * no good.
 */
export class LoginNeeded extends Error {
  override readonly name = 'UnauthorizedError';
}

/** That a person must log in, where a failure or what caused it says so; of servers with an `Authorization` only. */
export function loginNeededIn(error: unknown): LoginNeeded | undefined {
  if (error instanceof LoginNeeded) return error;
  if (isRefusalOfTheSdk(error))
    return new LoginNeeded('it refuses the authorization that it was given', { cause: error });
  return error instanceof Error && error.cause !== undefined ? loginNeededIn(error.cause) : undefined;
}

/** What the SDK's transports throw where a renewed token is refused too. */
function isRefusalOfTheSdk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'UnauthorizedError' || ('code' in error && error.code === 'CLIENT_HTTP_AUTHENTICATION');
}
