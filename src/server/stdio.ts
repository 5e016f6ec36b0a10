import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { stateDirs } from '../config/paths.ts';
import { messageOf } from '../errors.ts';
import { serverInstructions } from './instructions.ts';
import { type CallTool, createMcpServer } from './mcp-server.ts';
import type { UsageSession } from '../usage/sessions.ts';
import type * as RecordedCalls from './recorded-calls.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { onEndSignal } from './end-signals.ts';
import type { Runtime } from './runtime.ts';
import { writeToStderr } from './stderr.ts';
import { OwingStdioTransport } from './stdio-transport.ts';
import type { ChangeFollower, FollowChanges, Surface } from './surface.ts';

/** What a process was started with; its log is made when the runtime is. */
type StdioOptions = Omit<RuntimeOptions, 'log'>;

/** A message that is no protocol is told in one line, not in all that a schema has to say about it. */
const LONGEST_COMPLAINT = 300;

/** After stdin ends, calls that are running may still finish and be answered for this long. */
const DRAIN_MS = 10_000;
/** A client that never lists the tools still finds them ready, and a bad configuration is still reported. */
const WARM_UP_MS = 1_000;

/**
 * Serves one client over stdin and stdout until it closes stdin or a signal ends the process.
 *
 * `initialize`, `server/discover` and `tools/list` are answered from constants; the runtime (configuration, catalog,
 * upstream servers) is imported and opened after the first list, or by the first call.
 *
 * @returns when the connection has ended and every upstream server has been stopped.
 * @throws PlaybookError as `Runtime.open`, when the configuration cannot be used at all.
 */
export async function serveOverStdio(options: StdioOptions): Promise<void> {
  const connection = openConnection();
  let opened: Promise<Runtime> | undefined;
  let tellOpened: (runtime: Promise<Runtime>) => void = () => undefined;
  const whenOpened = new Promise<Runtime>((resolve) => (tellOpened = resolve));
  // Told by `open`; here it would be nobody's where nothing is followed.
  whenOpened.catch(() => undefined);
  const open = (): Promise<Runtime> => {
    if (opened === undefined) {
      opened = openRuntime(options);
      tellOpened(opened);
      opened.catch(connection.fail);
    }
    return opened;
  };
  const warmUp = (): void => void open().catch(connection.fail);

  let served: Promise<Served> | undefined;
  // Once a connection: calls that come together belong to one session. An import that is done already still costs a twentieth of a call.
  const load = (): Promise<Served> => (served ??= loadCalls(open()));
  const callTool: CallTool = async (name, given, caller) => {
    const { runtime, calls, session } = await load();
    if (name === 'execute' && !growsFreely) growFreely();
    return calls.callRecorded(runtime, { name, given, caller }, { session });
  };
  let answering: Promise<Surface> | undefined;
  const surface = (): Promise<Surface> => (answering ??= loadSurface(load()));
  const followChanges: FollowChanges = (follower) => {
    const ending = new AbortController();
    follow(whenOpened, follower, ending.signal).catch(connection.fail);
    return () => ending.abort();
  };
  const transport = new OwingStdioTransport();
  const instructions = serverInstructions(stateDirs(options.env).cache);
  const handle = serveStdio(
    ({ era }) =>
      createMcpServer({
        era,
        instructions,
        callTool,
        surface,
        followChanges,
        holdsCalls: true,
        onCancelled: (listener) => (transport.oncancelled = listener),
        onListed: () => setImmediate(warmUp),
      }),
    {
      transport,
      onerror: (error) =>
        writeToStderr(`playbook-mcp: ${messageOf(error).replace(/\s+/g, ' ').slice(0, LONGEST_COMPLAINT)}\n`),
    },
  );
  const timer = setTimeout(warmUp, WARM_UP_MS);
  try {
    // Where stdout is closed, stdin is not read any more, and would never be seen to end.
    await Promise.race([connection.ended, transport.closed]);
    await Promise.race([transport.settled(), delay(DRAIN_MS, undefined, { ref: false })]);
    // A session that ended before anything was needed still answers for its configuration.
    await open();
  } finally {
    clearTimeout(timer);
    await handle.close();
    if (opened !== undefined) await closeIfOpen(opened);
  }
}

/** What answers calls; loaded by the first. */
interface Served {
  readonly runtime: Runtime;
  readonly calls: Pick<typeof RecordedCalls, 'callRecorded'>;
  /** One connection is one piece of work. */
  readonly session: UsageSession;
}

async function loadCalls(opened: Promise<Runtime>): Promise<Served> {
  const [runtime, calls, sessions] = await Promise.all([
    opened,
    import('./recorded-calls.ts'),
    import('../usage/sessions.ts'),
  ]);
  return { runtime, calls, session: new sessions.UsageSession() };
}

async function loadSurface(served: Promise<Served>): Promise<Surface> {
  const [{ runtime, session }, { openSurface }] = await Promise.all([served, import('./open-surface.ts')]);
  return openSurface(runtime, () => ({ session }));
}

/** Waits for whatever else opens the runtime: the first answers need none. */
async function follow(opened: Promise<Runtime>, follower: ChangeFollower, signal: AbortSignal): Promise<void> {
  const runtime = await opened;
  const { followListed } = await import('./listed-changes.ts');
  if (!signal.aborted) await followListed(runtime, follower, signal);
}

interface Connection {
  /** Resolves when the client is gone or the process is asked to end; rejects where serving has no sense. */
  readonly ended: Promise<void>;
  readonly fail: (error: unknown) => void;
}

function openConnection(): Connection {
  let fail: Connection['fail'] = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    fail = reject;
    const end = (): void => resolve();
    process.stdin.once('end', end);
    process.stdin.once('close', end);
    onEndSignal(end);
  });
  return { ended, fail };
}

async function openRuntime(options: StdioOptions): Promise<Runtime> {
  // Left alone, V8 lets the young generation grow by 30 MB while thousands of files are loaded, and later waits for as much
  // garbage as there is live data before it collects. Measured with 3,035 playbooks: 190 MB resident after the load become
  // 130, and 210 after 6,000 searches 135, for 5 % more time to load and none to search.
  setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=25');
  const [{ Runtime }, { createLog }] = await Promise.all([import('./runtime.ts'), import('./log.ts')]);
  const log = createLog(options.env);
  const runtime = await Runtime.open({ ...options, log });
  runtime.follow();
  const { missingWorkspaces } = await import('../files/workspace.ts');
  // It may still be mounted or made, so serving goes on; every call that needs it says so too.
  for (const written of await missingWorkspaces({ ...options, allowed: options.flags.workspaces }))
    log('warn', `There is no directory ${written} (from --workspace).`, {
      hint: 'Correct --workspace, or make the directory.',
    });
  return runtime;
}

let growsFreely = false;

/**
 * Lets both generations grow again, as far as they have to. With 64 calls in flight one megabyte of the young one does not
 * outlive a call, and collecting it takes half of the time; and what is collected too early fills the old one, which then is
 * marked after every five collections of the young one, a third of the processor time beside the calls.
 */
function growFreely(): void {
  growsFreely = true;
  setFlagsFromString('--semi-space-growth-factor=2 --heap-growing-percent=100');
}

async function closeIfOpen(opened: Promise<Runtime>): Promise<void> {
  const [outcome] = await Promise.allSettled([opened]);
  if (outcome.status === 'fulfilled') await outcome.value.close();
}
